"""Numba's code generator for a machine other than this one.

One class of Numba is replaced: the code generator of its CPU target. Typing and lowering stay Numba's; triple and data
layout are those of the other machine, so every layout is made for it from the start. The rest is the project's own
`engine.machine_code`: an `InnerLibrary` is an LLVM module with all that it calls, not emitted.

This works only in a process that has compiled nothing yet, and that compiles for nothing else afterwards.
"""

from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen

from tavolino.aot.targets import Target

_target: Target


def target_machine(target: Target) -> Any:
    """LLVM's description of a target, at the highest level of optimisation."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu,
        features=target.features,
        opt=3,
        reloc="static" if target.is_static else "pic",
        codemodel="default",
    )


class _Library(codegen.AOTCodeLibrary):  # type: ignore[misc]
    """Of Numba's own functions for the run time, which it compiles as a library of their own."""

    def get_pointer_to_function(self, name: str) -> int:
        return 0


class _OtherMachine(codegen.JITCPUCodegen):  # type: ignore[misc]
    """Has no engine: nothing that is compiled with it runs in this process."""

    _library_class = _Library

    def _init(self, llvm_module: Any) -> None:
        self._tm = target_machine(_target)
        self._tm_features = _target.features
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)
        self._loopvect, self._opt_level = False, 0

    def _create_empty_module(self, name: str) -> Any:
        module = super()._create_empty_module(name)
        module.triple = _target.triple
        return module

    def magic_tuple(self) -> tuple[str, ...]:
        return (_target.triple, "ahead", self._tm_features)

    def set_env(self, name: str, environment: Any) -> None: ...

    def _add_module(self, module: Any) -> None: ...

    def _scan_and_fix_unresolved_refs(self, module: Any) -> None: ...


def compile_only_for(target: Target) -> None:
    """Let Numba compile for another machine, from now on, in this process."""
    global _target
    _target = target
    codegen.JITCPUCodegen = _OtherMachine
