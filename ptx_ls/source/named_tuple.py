"""Named tuples that are fast to define: hundreds of them are, before a small file is checked.

`typing.NamedTuple` compiles the annotation of each field, which nothing reads at run time. That
takes twice as long as the rest of such a class (docs/decisions/start.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import namedtuple

    class _NamedTupleMeta(type):
        """Makes a tuple with the annotated fields of a class, and with its methods."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, object]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = namespace.get("__annotations__", {})
            defaults = [namespace[field] for field in fields if field in namespace]
            module = namespace["__module__"]
            made = namedtuple(name, fields, defaults=defaults, module=module)  # noqa: PYI024
            for key, value in namespace.items():
                if key not in fields:
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_NamedTupleMeta):
        """The base of a named tuple; to type checkers, this is `typing.NamedTuple`."""
