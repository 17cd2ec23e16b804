"""TRF (being written)."""
def read_trf(data, encoding, tournament):
    raise NotImplementedError
