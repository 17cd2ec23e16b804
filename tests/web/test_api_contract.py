"""Made-up requests to every route of the API: nothing fails, and every answer is as described.

``RATING_LEDGER_API_CASES=5000`` says how many there are to be, all routes together.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from web.api.description import description

CASES = int(os.environ.get("RATING_LEDGER_API_CASES", "300"))
OPERATIONS = [
    (path, method) for path, methods in description()["paths"].items() for method in methods
]
# That a text has the right form does not mean that the ledger can make sense of it.
MAY_BE_REFUSED = [positive_data_acceptance]


@pytest.fixture(scope="module")
def described(rich_app: FastAPI) -> Any:
    """The API as it describes itself; nobody can sign in, so that nothing is changed."""
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", rich_app)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_every_answer_is_as_described(described: Any, path: str, method: str) -> None:
    @given(case=described[path][method].as_strategy())
    @settings(
        max_examples=-(-CASES // len(OPERATIONS)),
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def asked(case: schemathesis.Case[Any]) -> None:
        case.validate_response(case.call(), excluded_checks=[*MAY_BE_REFUSED])

    asked()
