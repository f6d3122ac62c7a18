"""Another value for a named constant, such as ``tracking.watcher.STILL_S``, for the rest of a process.

The constant's assignment in the module's source is replaced before the module is loaded, so that whatever is made from
it (defaults of functions, other constants, names imported elsewhere) has the new value too.
"""

import ast
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType

SWEPT = ("tracking", "referee")
"""Packages that run after what vision saw."""


class ConstantError(Exception):
    """A name is no numeric constant that can be swept; the message says why."""


def number_of(name: str) -> float:
    """The value that a constant has in the source; raises ConstantError."""
    module, _, constant = name.rpartition(".")
    if module.partition(".")[0] not in SWEPT:
        raise ConstantError(f"{name}: write it like tracking.watcher.STILL_S; only {' and '.join(SWEPT)} can be swept")
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise ConstantError(f"{name}: there is no module {module}")
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    numbers = {target: number for statement in tree.body for target, number in _assigned(statement)}
    if constant not in numbers:
        raise ConstantError(f"{name}: {module} has no such number; it has {', '.join(sorted(numbers)) or 'none'}")
    return numbers[constant]


def _assigned(statement: ast.stmt) -> list[tuple[str, float]]:
    """Name and value where a statement gives one name a plain number."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target, value = statement.target, statement.value
    else:
        return []
    try:
        number = ast.literal_eval(value)
    except ValueError:
        return []
    plain = isinstance(number, int | float) and not isinstance(number, bool)
    return [(target.id, number)] if plain and isinstance(target, ast.Name) else []


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, constant: str, value: float) -> None:
        super().__init__(fullname, path)
        self.constant, self.value = constant, value

    def get_code(self, fullname: str) -> CodeType | None:
        tree = ast.parse(Path(self.path).read_text(encoding="utf-8"))
        for statement in tree.body:
            if any(name == self.constant for name, _ in _assigned(statement)):
                assert isinstance(statement, ast.Assign | ast.AnnAssign)
                statement.value = ast.copy_location(ast.Constant(self.value), statement)
        return compile(ast.fix_missing_locations(tree), self.path, "exec")


class _Finder(MetaPathFinder):
    def __init__(self, module: str, constant: str, value: float) -> None:
        self.module, self.constant, self.value = module, constant, value

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.module:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return None
        spec.loader = _Loader(fullname, spec.origin, self.constant, self.value)
        return spec


def set_number(name: str, value: float) -> None:
    """The constant has this value in this process, whose modules of `SWEPT` must not be loaded yet."""
    module, _, constant = name.rpartition(".")
    if module in sys.modules:
        raise ConstantError(f"{name}: {module} is loaded already")
    sys.meta_path.insert(0, _Finder(module, constant, value))
