"""Pairing: a module for each system, each with the signature ``proposal.PairingSystem``."""
