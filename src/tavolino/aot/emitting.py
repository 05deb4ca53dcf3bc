"""Optimises a translated module for a target, and links it with the little that it needs at run time."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core.llvm_bindings import create_pass_builder

from tavolino.aot.building import CannotBuild
from tavolino.aot.codegen import target_machine
from tavolino.aot.lowering import Translated
from tavolino.aot.targets import MACOS, TRANSLATED_FOR, Target
from tavolino.engine.cache_folder import write

HERE = Path(__file__).parent
RUNTIME, CALLER = HERE / "runtime.c", HERE / "caller.c"
# What runtime.c provides. Anything else would be a function of the C library, whose last bits differ between machines,
# or a part of Python.
PROVIDED = {
    "NRT_MemInfo_alloc_aligned",
    "NRT_MemInfo_call_dtor",
    "frexp",
    "numba_frexp",
    "memcpy",
    "memmove",
    "memset",
    "sqrt",
}
# Instructions that round once instead of twice, or that may be reordered: their bits would depend on the target. A sum
# over a vector (`vector.reduce.fadd`) is in order unless one of these words allows another one.
INEXACT = re.compile(r"\b(?:fast|contract|reassoc|arcp|afn)\b (?!i\d)|llvm\.(?:fma|fmuladd)\b")
WASM_STACK = 262_144


def emit(translated: Translated, target: Target, folder: Path) -> Path:
    """Make the library of a game for a target, with its manifest beside it."""
    name = translated.manifest["game"]
    with tempfile.TemporaryDirectory(prefix="tavolino-") as made:
        code = Path(made) / "code.o"
        code.write_bytes(_machine_code(translated, target))
        return _publish(_link(code, target, translated.exported, Path(made)), target, name, translated.manifest, folder)


def emit_caller(target: Target, folder: Path) -> Path:
    """Make the extension module that calls libraries from Python."""
    with tempfile.TemporaryDirectory(prefix="tavolino-") as made:
        linked = Path(made) / "linked"
        of_python = ["-Wl,-undefined,dynamic_lookup"] if target.name.startswith(MACOS) else ["-ldl"]
        _zig("cc", *_native(target), str(CALLER), *of_python, "-o", str(linked))
        return _publish(linked, target, "caller", {}, folder)


def _publish(linked: Path, target: Target, name: str, manifest: dict[str, Any], folder: Path) -> Path:
    content = linked.read_bytes()
    described = {**manifest, "target": target.name, "sha256": hashlib.sha256(content).hexdigest()}
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / target.file(name), content)
    write(folder / target.manifest(name), (json.dumps(described, separators=(",", ":")) + "\n").encode())
    return folder / target.file(name)


def _machine_code(translated: Translated, target: Target) -> bytes:
    machine = target_machine(target)
    text = str(translated.module).replace(TRANSLATED_FOR[target.word_bits].triple, target.triple)
    module = llvm.parse_assembly(text)
    module.data_layout = str(machine.target_data)
    for level in (0, 3):  # first cheaply, so that references are pruned over whole functions
        builder = create_pass_builder(machine, opt=level, loop_vectorize=level > 0, slp_vectorize=False)
        manager = builder.getModulePassManager()
        if level == 0:
            manager.add_loop_rotate_pass()
            manager.add_instruction_combine_pass()
            manager.add_jump_threading_pass()
        manager.add_refprune_pass()
        manager.run(module, builder)
    module.verify()
    wanted = {each.name for each in module.functions if each.is_declaration and not each.name.startswith("llvm.")}
    if wanted - PROVIDED:
        raise CannotBuild(
            f"{translated.manifest['game']} asks for {', '.join(sorted(wanted - PROVIDED))}: see the traps"
        )
    if found := INEXACT.search(str(module)):
        raise CannotBuild(f"{translated.manifest['game']} has inexact arithmetic: {found.group()}")
    code: bytes = machine.emit_object(module)
    return code


def _native(target: Target) -> list[str]:
    pages = ["-Wl,-z,noexecstack"] if not target.name.startswith(MACOS) else []
    return ["-target", target.zig, "-shared", "-fPIC", "-O2", "-g0", "-s", "-fvisibility=hidden", *_EXACT, *pages]


_EXACT = ("-ffp-contract=off", "-fno-sanitize=all")


def _link(code: Path, target: Target, exported: tuple[str, ...], folder: Path) -> Path:
    linked = folder / "linked"
    if target.is_native:
        _zig("cc", *_native(target), str(code), str(RUNTIME), "-o", str(linked))
        return linked
    runtime = folder / "runtime.o"
    # A module with extended constants is refused by node before version 22.
    flags = ["-fPIC", "-mno-extended-const"] if not target.is_static else ["-DIS_FREESTANDING"]
    _zig("cc", "-target", target.zig, "-mbulk-memory", "-O2", "-g0", "-fno-builtin", *_EXACT, *flags,
         "-c", str(RUNTIME), "-o", str(runtime))  # fmt: skip
    shown = [f"--export={name}" for name in exported]
    if target.is_static:
        options = [
            "--no-entry",
            "-z",
            f"stack-size={WASM_STACK}",
            "--export=tavolino_take",
            "--export=tavolino_release",
        ]
    else:
        options = ["--experimental-pic", "-shared", "--no-entry", "--unresolved-symbols=import-dynamic"]
    _zig("wasm-ld", *options, "--gc-sections", "--strip-all", *shown, str(code), str(runtime), "-o", str(linked))
    return linked


def _zig(*command: str) -> None:
    if find_spec("ziglang") is None:
        raise CannotBuild("the linker is missing: pip install ziglang (requirements/build.txt has the version)")
    with tempfile.TemporaryDirectory(prefix="tavolino-zig-") as scratch:
        settings = {**os.environ, "ZIG_LOCAL_CACHE_DIR": scratch}
        done = subprocess.run(
            [sys.executable, "-m", "ziglang", *command], env=settings, capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise CannotBuild(f"the linker failed: {done.stderr.strip()[-2000:]}")
