"""Translates the entry points of a game to one LLVM module, not optimised yet. In a process of its own (`codegen`)."""

from importlib import import_module
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from tavolino.aot.wrappers import Description, Wrapper, described_dtype
from tavolino.engine.ahead import FORMAT
from tavolino.engine.code_cache import CodeCache
from tavolino.engine.entry_points import entry_points
from tavolino.engine.game import Game
from tavolino.engine.machine_code import InnerCompiler
from tavolino.engine.sources import all_sources, digest_of
from tavolino.games import part_of

# The modules that declare the entry points which every game has. A game declares its own in its folder.
DECLARING = (
    "tavolino.engine.loops",
    "tavolino.bots.heuristic",
    "tavolino.bots.search",
    "tavolino.bots.contest_loop",
    "tavolino.bots.self_play",
    "tavolino.coach.playouts",
    "tavolino.lab.net_steps",
    "tavolino.research.observing",
    "tavolino.research.recording",
    "tavolino.research.stepping",
)


class Translated(NamedTuple):
    module: Any
    exported: tuple[str, ...]
    manifest: dict[str, Any]


def import_declaring(game: Game) -> None:
    """Import all modules that declare entry points of a game, also the one that loading the game does not import."""
    for name in DECLARING:
        import_module(name)
    part_of(game.name, "beliefs")


def translate(game: Game) -> Translated:
    """All entry points of a game in one module. The rest is internal, so that LLVM can inline and drop it."""
    import_declaring(game)
    context = cpu_target.target_context
    generator = context.codegen()
    module = llvm.parse_assembly(str(generator._create_empty_module(game.name)))
    header = str(generator._create_empty_module("exported"))
    description = Description(game.record)
    _use_no_cache()
    for point, arguments in entry_points(game):
        called, inner, signature, returned = _compile(point.function, arguments)
        wrapper = Wrapper(point, inner, signature, returned, context)
        description.add(point, arguments, returned)
        # The caller first: the linker omits what nothing has referred to yet.
        module.link_in(llvm.parse_assembly(header + wrapper.text))
        module.link_in(called, preserve=True)
    exported = tuple(description.points)
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in exported:
            value.linkage = "internal"
    manifest = {
        "format": FORMAT,
        "game": game.name,
        "rules": game.rules,
        "actions": game.action_count,
        "sources": digest_of(all_sources(game.folder)),
        "dtypes": [described_dtype(each) for each in description.dtypes],
        "entry_points": description.points,
    }
    return Translated(module, exported, manifest)


def _compile(function: Any, arguments: tuple[Any, ...]) -> tuple[Any, str, tuple[Any, ...], Any]:
    """The LLVM module of an entry point with everything that it calls, its name in there, and its types."""
    jitted = numba.njit(
        nogil=True,
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=InnerCompiler,
    )(function.py_func)
    signature = tuple(numba.typeof(argument) for argument in arguments)
    jitted.compile(signature)
    result = jitted.overloads[signature]
    with global_compiler_lock:
        result.library._ensure_finalized()
    return result.library.linked_module(), result.fndesc.llvm_func_name, signature, result.signature.return_type


def _use_no_cache() -> None:
    """What Numba has stored was made for this machine; and what it makes here is of no use to other processes."""
    for method in ("load_overload", "save_overload"):
        setattr(CodeCache, method, lambda self, signature, other: None)
