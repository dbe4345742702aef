"""Named tuples that are fast to define: hundreds of them are, before a small file is checked.

`typing.NamedTuple` compiles the annotation of each field, which nothing reads at run time, and
`collections.namedtuple` compiles a constructor, which differs only in the names of its arguments
from that of any class with as many fields (docs/decisions/start.md).

A module with such classes needs `from __future__ import annotations`, because Python 3.14 keeps
other annotations where only `annotationlib` finds them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import FunctionType
    from typing import NamedTuple
else:
    from collections import namedtuple
    from functools import cache
    from types import FunctionType

    @cache
    def _template(n_fields: int) -> type:
        """Returns a named tuple; classes with as many fields share its parts."""
        return namedtuple("_template", [f"field_{number}" for number in range(n_fields)])  # noqa: PYI024

    def _constructor(template: type, defaults: Mapping[str, object], *fields: str) -> FunctionType:
        """Returns the constructor of a template, with other names of arguments."""
        made = template.__new__
        code = made.__code__.replace(co_varnames=("_cls", *fields))
        return FunctionType(code, made.__globals__, "__new__", tuple(defaults.values()))

    def _replace(self: Any, /, **changed: object) -> Any:  # noqa: ANN401  an instance
        """Returns a copy in which some fields have other values."""
        made = self._make(map(changed.pop, self._fields, self))
        if changed:
            msg = f"Got unexpected field names: {[*changed]}"
            raise ValueError(msg)
        return made

    def _repr(self: Any) -> str:  # noqa: ANN401  an instance
        fields = [f"{field}={value!r}" for field, value in self._asdict().items()]
        return f"{type(self).__name__}({', '.join(fields)})"

    class _NamedTupleMeta(type):
        """Makes a tuple with the annotated fields of a class, and with its methods."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, object]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = (*namespace.get("__annotations__", ()),)
            defaults = {field: namespace[field] for field in fields if field in namespace}
            template = _template(len(fields))
            shared = vars(template)
            attributes = {
                "__doc__": None,
                "__slots__": (),
                "__match_args__": fields,
                "__new__": _constructor(template, defaults, *fields),
                "__repr__": _repr,
                "__getnewargs__": shared["__getnewargs__"],
                "_fields": fields,
                "_field_defaults": defaults,
                "_asdict": shared["_asdict"],
                "_make": shared["_make"],
                "_replace": _replace,
                **namespace,
                **{field: shared[its] for field, its in zip(fields, template._fields, strict=True)},
            }
            return type(name, (tuple,), attributes)

    class NamedTuple(metaclass=_NamedTupleMeta):
        """The base of a named tuple; to type checkers, this is `typing.NamedTuple`."""
