"""The Merkle tree, against the test vectors of Certificate Transparency and a naive definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.journal.merkle import (
    EMPTY_ROOT,
    CompactRange,
    consistency_proof,
    consistent,
    includes,
    inclusion_proof,
    leaf_hash,
    node_hash,
    root_of,
)

# google/certificate-transparency, cpp/merkletree/merkle_tree_test.cc
LEAVES = [
    bytes.fromhex(leaf)
    for leaf in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
HASHES = [leaf_hash(leaf) for leaf in LEAVES]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
INCLUSION = {
    (1, 0): [],
    (8, 0): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (8, 5): [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (3, 2): ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
    (5, 1): [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}
CONSISTENCY = {
    (1, 1): [],
    (1, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (6, 8): [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 5): [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}


def unhexed(proof: list[str]) -> list[bytes]:
    return [bytes.fromhex(step) for step in proof]


def naive_root(leaves: list[bytes]) -> bytes:
    """RFC 9162, section 2.1.1, word for word."""
    if not leaves:
        return EMPTY_ROOT
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return node_hash(naive_root(leaves[:k]), naive_root(leaves[k:]))


some_leaves = st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=40)


@pytest.mark.parametrize("size", range(1, 9))
def test_the_roots_are_those_of_certificate_transparency(size: int) -> None:
    assert root_of(HASHES[:size]).hex() == ROOTS[size - 1]


def test_the_empty_tree_is_the_hash_of_nothing() -> None:
    assert root_of([]) == EMPTY_ROOT
    assert EMPTY_ROOT.hex().startswith("e3b0c44298fc1c14")


@pytest.mark.parametrize(("size", "index"), INCLUSION)
def test_inclusion_proofs_are_those_of_certificate_transparency(size: int, index: int) -> None:
    proof = inclusion_proof(HASHES[:size], index)
    assert proof == unhexed(INCLUSION[size, index])
    assert includes(bytes.fromhex(ROOTS[size - 1]), size, index, HASHES[index], proof)


@pytest.mark.parametrize(("earlier", "size"), CONSISTENCY)
def test_consistency_proofs_are_those_of_certificate_transparency(earlier: int, size: int) -> None:
    proof = consistency_proof(HASHES[:size], earlier)
    assert proof == unhexed(CONSISTENCY[earlier, size])
    before, after = (bytes.fromhex(ROOTS[n - 1]) for n in (earlier, size))
    assert consistent(before, earlier, after, size, proof)


@given(leaves=st.lists(st.binary(min_size=32, max_size=32), max_size=40))
def test_the_compact_range_has_the_root_of_the_definition(leaves: list[bytes]) -> None:
    assert root_of(leaves) == naive_root(leaves)


@given(leaves=some_leaves, data=st.data())
def test_a_tree_goes_on_from_its_peaks(leaves: list[bytes], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(leaves)))
    first = CompactRange()
    for leaf in leaves[:cut]:
        first.append(leaf)
    again = CompactRange(first.size, first.peaks)
    for leaf in leaves[cut:]:
        again.append(leaf)
    assert again.root() == root_of(leaves)
    assert len(again.peaks) == len(leaves).bit_count()


@given(leaves=some_leaves, data=st.data())
def test_a_leaf_is_proved_at_its_place_only(leaves: list[bytes], data: st.DataObject) -> None:
    size = len(leaves)
    index = data.draw(st.integers(0, size - 1))
    proof = inclusion_proof(leaves, index)
    root = root_of(leaves)
    assert includes(root, size, index, leaves[index], proof)
    assert not includes(root, size, index, node_hash(leaves[index], b""), proof)
    assert not includes(root, size, index, leaves[index], [*proof, root])
    assert not includes(root, size, size, leaves[index], proof)
    if proof:
        assert not includes(root, size, index, leaves[index], proof[:-1])


@given(leaves=some_leaves, data=st.data())
def test_a_tree_is_proved_to_go_on_from_an_earlier_one_only(
    leaves: list[bytes], data: st.DataObject
) -> None:
    size = len(leaves)
    earlier = data.draw(st.integers(1, size))
    proof = consistency_proof(leaves, earlier)
    before, after = root_of(leaves[:earlier]), root_of(leaves)
    assert consistent(before, earlier, after, size, proof)
    other = node_hash(before, b"")
    assert not consistent(other, earlier, after, size, proof)
    assert not consistent(before, earlier, other, size, proof)
    assert not consistent(before, earlier, after, size, [*proof, other])
    assert not consistent(before, 0, after, size, proof)
    if proof:
        assert not consistent(before, earlier, after, size, proof[:-1])


def test_peaks_must_fit_the_size() -> None:
    with pytest.raises(ValueError, match="a tree of 3 leaves has 2 peaks"):
        CompactRange(3, [EMPTY_ROOT])


def test_what_is_not_in_the_tree_has_no_proof() -> None:
    with pytest.raises(ValueError, match="there is no leaf 8"):
        inclusion_proof(HASHES, 8)
    with pytest.raises(ValueError, match="no tree of 9 leaves"):
        consistency_proof(HASHES, 9)


@given(sizes=st.lists(st.integers(0, 40), max_size=6))
def test_many_leaves_at_once_are_as_many_one_by_one(sizes: list[int]) -> None:
    whole, single = CompactRange(), CompactRange()
    for size in sizes:
        leaves = [leaf_hash(bytes([at])) for at in range(size)]
        whole.extend(leaves)
        for leaf in leaves:
            single.append(leaf)
        assert (whole.size, whole.peaks) == (single.size, single.peaks)
