"""What spreadsheets have beside what the ledger records of people and games.

Such a column is left out, and that is said once: numbers that only count rows, ids of the state
(never to be recorded), where somebody lives or plays, ratings of another rate of play. Headings of
Chile (AJEFECH and its clubs), Mexico (FENAMAC), Spain (FEDA and its federations), and of the
programs that arbiters use there. Any other unknown heading is refused.
"""

from __future__ import annotations

from typing import Final


def _headings(text: str) -> tuple[str, ...]:
    """Returns headings that are written with commas between them."""
    return tuple(" ".join(heading.split()) for heading in text.split(","))


_ROWS: Final = _headings("""
    nº, n°, no, nro, núm, num, #, item, orden, correlativo, pos, posición, lugar, puesto,
    ranking, rk, rank, número inicial, nº ini, no ini, ini, start no, sno
""")
_STATE_IDS: Final = _headings("""
    rut, run, rut/run, dni, nie, nif, dni/nie, curp, rfc, cédula, ci, pasaporte, documento,
    documento de identidad, nº documento, tipo documento, passport
""")
_PLACES: Final = _headings("""
    club, entidad, equipo, team, asociación, liga, delegación, federación autonómica, fed
    autonómica, autonomía, comunidad autónoma, ccaa, provincia, región, estado, ciudad,
    city, localidad, municipio, comuna, domicilio, dirección, address, colegio, escuela,
    nacionalidad, procedencia, origen, sede
""")
_PERSONAL: Final = _headings("""
    categoría, cat, categ, category, subcategoría, grupo, gr, título, tít, title, tit, wtit,
    otit, título fide, edad, age, email, e-mail, mail, correo, correo electrónico, teléfono,
    tel, fono, celular, móvil, phone, licencia, nº licencia, tipo licencia, fecha alta,
    fecha inscripción, inscripción, observaciones, obs, notas, comentarios, notes, remarks,
    activo, vigente, situación, estado civil, foto, flag, tutor, apoderado
""")
_OTHER_RATINGS: Final = _headings("""
    rápido, rapid, elo rápido, elo rápidas, elo rapid, rapid rating, rating rápido, rpd,
    fide rápido, elo fide rápido, elo fide rapid, relámpago, blitz, elo blitz, blitz rating,
    rating blitz, elo relámpago, blz, elo fide blitz, fide blitz, k rápido, k blitz
""")
BESIDE_PLAYERS: Final = _ROWS + _STATE_IDS + _PLACES + _PERSONAL + _OTHER_RATINGS
"""Headings of lists of people that are left out."""

_OF_A_GAME: Final = _headings("""
    mesa, tablero, board, partida, hora, time, elo blancas, elo negras, elo blanco, elo
    negro, white elo, black elo, título blancas, título negras, eco, apertura, opening,
    jugadas, moves, observaciones, obs, comentarios, notas, nombre blancas, nombre negras,
    nombre blanco, nombre negro, white name, black name
""")
BESIDE_GAMES: Final = _ROWS + _OF_A_GAME
"""Headings of lists of games that are left out: the players are known by their ids."""
