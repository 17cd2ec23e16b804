"""What a release consists of: source, wheels for the usual platforms, a bill of materials, digests.

``python3 dev.py release OUT`` makes it from a clean clone, in one go, on one machine. Whatever is
built is built twice, in different folders, and is the same byte for byte, or there is no release.
"""
