"""Witnesses: an honest one by the specification's text, those that lie, and what is believed."""
