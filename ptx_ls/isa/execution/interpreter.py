"""Executes statements of pseudo-code for one lane."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ptx_ls.isa.execution import functions, reals
from ptx_ls.isa.execution.arithmetic import compute, compute_reals, constant
from ptx_ls.isa.execution.folding import COMPARISONS
from ptx_ls.isa.execution.formats import FLOATS, ValueType, value_type
from ptx_ls.isa.execution.lane_storage import LaneStorage
from ptx_ls.isa.execution.reals import Real
from ptx_ls.isa.execution.tree import (
    Assignment,
    Binary,
    BitField,
    BitRange,
    Bits,
    Conditional,
    EffectCall,
    Expression,
    For,
    FunctionCall,
    If,
    Number,
    Over,
    SlotReference,
    Statement,
    Subscript,
    Unary,
    Variable,
    Vector,
)
from ptx_ls.isa.execution.values import (
    OperandStorage,
    UndeterminedError,
    Value,
    as_integer,
    as_real,
    compare,
    is_true,
    parts,
    read_scalar,
)

_UNITS: Final = {"b": 8, "h": 16, "byte": 8, "half": 16}


class Lane(LaneStorage):
    """The state of one lane while it executes: its operands, temporaries and results."""

    def __init__(
        self,
        places: Mapping[str, OperandStorage],
        operands: Mapping[str, int | Sequence[int]],
        *,
        number: int = 0,
        carry: bool = False,
    ) -> None:
        """`operands` maps names to bits, or, for a vector, to the bits of each register."""
        super().__init__(places, operands, {"CC.CF": int(carry), "lane": number})
        self.lanes: Mapping[int, Lane] = {number: self}
        """The lanes that execute the instruction together, by number."""
        self._result_type: ValueType | None = None

    def run(self, statements: Iterable[Statement]) -> None:
        """Executes statements. Raises UndeterminedError."""
        for statement in statements:
            self._execute(statement)

    def _execute(self, statement: Statement) -> None:
        match statement:
            case Assignment(target, value):
                self._assign(target, value)
            case If(condition, body):
                if is_true(self.value(condition)):
                    self._execute(body)
            case For(variable, domain, body):
                for number in self._domain(domain):
                    self.values[variable] = number
                    self.run(body)
                self.values.pop(variable, None)
            case EffectCall():
                pass

    def _type_of(self, target: Expression) -> ValueType | None:
        while isinstance(target, Subscript | Bits | BitField):
            target = target.operand
        if isinstance(target, Variable) and target.text in self.places:
            return self.places[target.text].type
        return None

    def _assign(self, target: Expression, source: Expression) -> None:
        self._result_type = self._type_of(target) or self._first_result()
        value = self.value(source)
        match target:
            case Variable("_"):
                pass
            case Variable(name):
                self.store(name, value)
            case Vector(elements):
                for element, part in zip(elements, parts(value), strict=True):
                    self._assign_value(element, part)
            case Subscript(Variable(name), index):
                self.store_part(name, as_integer(self.value(index)), value)
            case Bits(Variable(name), high, low):
                bounds = as_integer(self.value(high)), as_integer(self.value(low))
                self.store_bits(name, bounds[0], bounds[1], as_integer(value))
            case BitField(Variable(name), part, index):
                self.store_bits(name, *self._part_bounds(part, index), as_integer(value))
            case _:
                raise UndeterminedError("not a target")

    def _assign_value(self, target: Expression, value: Value) -> None:
        if isinstance(target, Variable) and target.text != "_":
            self.store(target.text, value)

    def _first_result(self) -> ValueType | None:
        place = next(iter(self.places.values()), None)
        return place.type if place is not None else None

    def value(self, node: Expression) -> Value:  # noqa: PLR0911, C901, PLR0912  one case for each kind of node
        """Returns the value of an expression. Raises UndeterminedError."""
        match node:
            case Number(text):
                return constant(text)
            case Variable(text):
                return self._named(text)
            case Unary(operator, operand):
                return self._unary(operator, self.value(operand))
            case Binary("&&" | "||" as operator, left, right):
                decided = is_true(self.value(left))
                return decided if decided == (operator == "||") else is_true(self.value(right))
            case Binary("of lane", operand, lane):
                return self._of_lane(operand, as_integer(self.value(lane)))
            case Binary(operator, left, right):
                return self._binary(operator, self.value(left), self.value(right))
            case Conditional(condition, then, otherwise):
                return self.value(then if is_true(self.value(condition)) else otherwise)
            case FunctionCall(function, arguments):
                return self._call(function, arguments)
            case Over(function, variable, domain, body):
                return self._reduce(function, variable, domain, body)
            case Subscript(operand, index):
                return self._indexed(operand, as_integer(self.value(index)))
            case Bits(operand, high, low):
                bounds = as_integer(self.value(high)), as_integer(self.value(low))
                return self._bits_of(operand) >> bounds[1] & (1 << bounds[0] - bounds[1] + 1) - 1
            case BitField(operand, name, index):
                return self._part(operand, name, index)
            case Vector(elements):
                return self._joined(elements)
            case BitRange() | SlotReference():
                raise UndeterminedError("not a value")

    def _named(self, name: str) -> Value:
        """Returns the value of an operand or a temporary; `active` is a mask of the lanes."""
        if name == "active" and name not in self.values and name not in self.places:
            return sum(1 << number for number in self.lanes)
        return self.read(name)

    def _joined(self, elements: Sequence[Expression]) -> Value:
        """Returns the value of `{x, y}`: the parts of a vector, or the integer that they form."""
        values = [self.value(element) for element in elements]
        result = self._result_type
        if result is None or result.n_parts > 1 or not values:
            return values
        width = result.width // len(values)
        return sum((as_integer(part) & (1 << width) - 1) << width * it
                   for it, part in enumerate(values))  # fmt: skip

    def _bits_of(self, node: Expression) -> int:
        """Returns a value as bits; for an operand, the bits of its register."""
        if isinstance(node, Variable):
            if node.text in self.results:
                found = self.results[node.text]
                return found if isinstance(found, int) else 0
            bits = self.operands.get(node.text)
            if isinstance(bits, int):
                return bits
        value = self.value(node)
        if isinstance(value, Real) and value.format in FLOATS:
            return reals.encode(value, value.format)
        return as_integer(value)

    def _part_bounds(self, name: str, index: Expression | None) -> tuple[int, int]:
        unit = _UNITS.get(name if index is not None else name[:1], 0)
        if not unit:
            raise UndeterminedError(f"unknown part {name!r}")
        number = as_integer(self.value(index)) if index is not None else int(name[1:])
        return (number + 1) * unit - 1, number * unit

    def _part(self, operand: Expression, name: str, index: Expression | None) -> Value:
        """Returns a byte or half, extended as the type of the operand requires."""
        high, low = self._part_bounds(name, index)
        bits = self._bits_of(operand) >> low & (1 << high - low + 1) - 1
        type_ = self._type_of(operand)
        if type_ is not None and type_.kind == "signed":
            return bits - ((bits >> high - low) << high - low + 1)
        return bits

    def _indexed(self, operand: Expression, index: int) -> Value:
        """Returns a part of a packed value or list, or a bit of any other value."""
        type_ = self._type_of(operand)
        if type_ is None or type_.n_parts > 1:
            value = self.value(operand)
            if isinstance(value, list):
                return value[index]
        return self._bits_of(operand) >> index & 1

    def _unary(self, operator: str, value: Value) -> Value:
        match operator:
            case "!":
                return not is_true(value)
            case "~":
                return ~as_integer(value)
            case "|":
                if isinstance(value, Real):
                    return value._replace(negative=False, payload=None)
                return abs(as_integer(value))
            case _:
                return reals.negated(value) if isinstance(value, Real) else -as_integer(value)

    def _binary(self, operator: str, left: Value, right: Value) -> Value:
        if operator in COMPARISONS:
            return compare(operator, left, right)
        if isinstance(left, Real) or isinstance(right, Real):
            return compute_reals(operator, as_real(left), as_real(right))
        if isinstance(left, bool) and isinstance(right, bool) and operator in "&|^":
            return {"&": left and right, "|": left or right, "^": left != right}[operator]
        return compute(operator, as_integer(left), as_integer(right))

    def _of_lane(self, operand: Expression, number: int) -> Value:
        lane = self.lanes.get(number)
        if lane is None:
            raise UndeterminedError(f"lane {number} does not execute the instruction")
        return lane.value(operand)

    def _domain(self, domain: Expression) -> Iterable[int]:
        if isinstance(domain, BitRange):
            first = as_integer(self.value(domain.first))
            return range(first, as_integer(self.value(domain.last)) + 1)
        mask = as_integer(self.value(domain))
        return [number for number in range(mask.bit_length()) if mask >> number & 1]

    def _reduce(self, function: str, variable: str, domain: Expression, body: Expression) -> Value:
        values = []
        for number in self._domain(domain):
            self.values[variable] = number
            values.append(self.value(body))
        self.values.pop(variable, None)
        return functions.REDUCTIONS[function](values)

    def _call(  # noqa: PLR0911  one case for each kind of function
        self, function: str, arguments: Sequence[Expression]
    ) -> Value:
        if function == "parts":
            return self._chosen_parts(arguments)
        if function == "chosen":
            return str(self.value(arguments[0])) in _digits(arguments[1])
        if function == "clamp" and len(arguments) == 2:  # noqa: PLR2004  a value and a type
            return functions.clamp(self.value(arguments[0]), self._type_argument(arguments[1]))
        values = [self.value(argument) for argument in arguments]
        if function in functions.ROUNDINGS:
            return reals.rounded(as_real(values[0]), self._format(), function)
        if function in functions.PLAIN:
            return functions.PLAIN[function](*values)
        match function:
            case "ftz":
                return self._flushed(as_real(values[0]))
            case "clamp":
                return functions.least(functions.greatest(values[0], values[1]), values[2])
            case "approx":
                self.is_exact = False
                return values[0]
        if function in functions.APPROXIMATE:
            self.is_exact = False
            return functions.APPROXIMATE[function](values[0])
        return self._cast(function, values[0])

    def _cast(self, name: str, value: Value) -> Value:
        """Casts a value: `s8(x)` takes the low bits, `f32(x)` rounds to nearest even."""
        type_ = value_type(name)
        if type_ is None:
            raise UndeterminedError(f"unknown function {name!r}")
        if type_.kind in ("float", "fixed"):
            return reals.rounded(as_real(value), type_.element, "rn")
        return read_scalar(as_integer(value), type_)

    def _format(self) -> str:
        """Returns the float format of the result."""
        result = self._result_type
        if result is None or result.kind not in ("float", "fixed"):
            raise UndeterminedError("the result is not a float")
        return result.element

    def _flushed(self, number: Real) -> Value:
        if not number.format:
            number = reals.rounded(number, self._format(), "rn")
        return reals.flushed(number, number.format) if number.format in FLOATS else number

    def _type_argument(self, node: Expression) -> ValueType:
        type_ = value_type(node.text) if isinstance(node, Variable) else None
        if type_ is None:
            raise UndeterminedError("not a type")
        return value_type(type_.element) or type_

    def _chosen_parts(self, arguments: Sequence[Expression]) -> Value:
        """Computes `parts(a, b, b7531, s32)`: chosen bytes or halves of `a` and `b`, extended."""
        first, second, selector, type_name = arguments
        whole = self._bits_of(second) << 32 | self._bits_of(first) & 0xFFFF_FFFF
        return functions.chosen_parts(whole, _digits(selector), self._type_argument(type_name))


def _digits(selector: Expression) -> str:
    """Returns the numbers of the parts in a selector such as `b7531`."""
    if not isinstance(selector, Variable):
        raise UndeterminedError("not a selector")
    return selector.text[1:]
