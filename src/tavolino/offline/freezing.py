"""Writes a module again for an interpreter without NumPy and Numba.

The bodies of compiled functions are left out: their code is in the games' modules. Arrays that a module computes when
it is imported become literals. Docstrings, and imports for the type checker, are left out. The rest is the same Python.
"""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any

import numpy as np

from tavolino.offline.modules import CannotFreeze

COMPILED = frozenset({"entry", "compiled", "inlined"})
MAX_LITERAL = 4096  # bytes; larger arrays are tables of compiled code, and Python must not read them
LITERAL = "frozen"  # the function of the small NumPy that reads a literal
Scope = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def freeze(name: str, source: str, module: ModuleType) -> str:
    """The text of the frozen module. `module`: the same one, imported here, which has the arrays."""
    tree = _Shortened().visit(ast.parse(source))
    tree.body = [_with_literals(name, node, module) for node in tree.body]
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


class _Shortened(ast.NodeTransformer):
    def visit_If(self, node: ast.If) -> ast.AST | None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return None
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if any(isinstance(each, ast.Name) and each.id in COMPILED for each in node.decorator_list):
            node.body, node.returns = [ast.Expr(ast.Constant(...))], None
            for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                argument.annotation = None
            return node
        return self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, Scope):
            if ast.get_docstring(node, clean=False) is not None:
                del node.body[0]
            if not node.body and not isinstance(node, ast.Module):
                node.body = [ast.Pass()]
        elif isinstance(node, ast.If) and not node.body:
            node.body = [ast.Pass()]
        return node


def _with_literals(name: str, node: ast.stmt, module: ModuleType) -> ast.stmt:
    """A statement of a module, or the literal of the array that it computes."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    values = {each.id: getattr(module, each.id, None) for each in targets if isinstance(each, ast.Name)}
    if not any(isinstance(value, np.ndarray) for value in values.values()):
        return _with_number(node, values, module)
    if len(values) != 1:
        raise CannotFreeze(f"{name}, line {node.lineno}: arrays for several names at once")
    ((target, value),) = values.items()
    return ast.parse(f"{target} = {_literal(name, target, value)}").body[0]


def _with_number(node: ast.stmt, values: dict[str, Any], module: ModuleType) -> ast.stmt:
    """A number that a module calculates from its arrays becomes a literal, too."""
    read = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    is_of_arrays = any(isinstance(getattr(module, each, None), np.ndarray) for each in read)
    if is_of_arrays and len(values) == 1 and type(value := next(iter(values.values()))) in (int, float):
        return ast.parse(f"{next(iter(values))} = {value!r}").body[0]
    return node


def _literal(name: str, target: str, value: Any) -> str:
    if value.dtype.names is not None or value.dtype.hasobject:
        raise CannotFreeze(f"{name}.{target}: an array of records")
    if value.nbytes > MAX_LITERAL:
        return "None"
    content = np.ascontiguousarray(value).tobytes().hex()
    return f"__import__('numpy').{LITERAL}({value.dtype.str!r}, {value.shape!r}, {content!r})"
