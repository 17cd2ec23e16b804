#!/usr/bin/env bash
# Makes a release of this commit in the folder that is named, and tries it where nothing else is:
# the wheel that pip chooses, with what run.txt pins, and the loop compiled.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$(dirname "$1")"
out=$(realpath "$1")
RATING_LEDGER_TESTS=thorough python3 dev.py test
python3 dev.py release "$out"
.venv/bin/python -m tests.golden.test_interface --check
(cd "$out" && sha256sum --check --quiet SHA256SUMS)
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
python3 -m venv "$fresh/env"
pip=("$fresh/env/bin/pip" --quiet --disable-pip-version-check install)
"${pip[@]}" --require-hashes -r requirements/run.txt
"${pip[@]}" --no-deps --no-index --find-links "$out" rating-ledger
cd "$fresh"
env/bin/rating-ledger demo there >demo.txt
env/bin/rating-ledger --lang en doctor --db there/rating-ledger.db --format json | grep -q '"kernel": "compiled'
env/bin/rating-ledger verify --db there/rating-ledger.db
