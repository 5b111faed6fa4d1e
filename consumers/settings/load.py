"""Reads the settings from a TOML file and the environment; an error names the place and the most similar setting.

Later sources override earlier ones: defaults, file, environment, command line.
"""

from __future__ import annotations

import math
import re
import reprlib
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin

import msgspec

from ..errors import UserError
from .schema import KEYS, SECRETS, SECTIONS, Settings

ENV_PREFIX = "STREAM_NB_"
LOG_VARIABLE = f"{ENV_PREFIX}LOG"
_SERVICE = re.compile(r"\w+_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_PORT|_PROTO|_ADDR)?)")
_ADDRESS = re.compile(r"\w+_PORT=(tcp|udp|sctp)://.*")


def load_settings(path: Path | None, environ: Mapping[str, str], log: str | None = None) -> Settings:
    """Read the settings.

    Args:
        path: A TOML file; None for none.
        environ: Environment variables; those that begin with STREAM_NB_ are read.
        log: The log's address from the command line, which overrides all others; None if it was not given.

    Raises:
        UserError: A setting does not exist or has an invalid value; the message names the file or variable.
    """
    data: dict[str, Any] = {}
    if path is not None:
        try:
            data = tomllib.loads(path.read_text("utf-8-sig"))
        except OSError as error:
            raise UserError(f"settings file {path}: {error.strerror}; name an existing TOML file") from error
        except UnicodeDecodeError as error:
            raise UserError(f"settings file {path} is not UTF-8; save it as UTF-8") from error
        except (ValueError, RecursionError) as error:  # not TOML, too many digits, or too deeply nested
            raise UserError(f"settings file {path}: {error}") from error
        _convert(data, f"settings file {path}", strict=True)  # alone first, so that an error names the file
    _overlay(data, environ)
    if log is not None:
        _check_log(log, "--log")
        data["log"] = log
    return _convert(data, "environment", strict=False)


def _convert(data: dict[str, Any], where: str, strict: bool) -> Settings:
    """Convert to settings; raises UserError with section and key for an unknown setting or an invalid value."""
    for name, value in data.items():
        section = SECTIONS.get(name)
        if name == "log":
            _check(value, str, f"{where}: log", strict)
            _check_log(value, f"{where}: log")
        elif section is None and isinstance(value, dict):
            raise UserError(f"{where}: [{name}] is not a section; {_hint(name, {key: f'[{key}]' for key in SECTIONS})}")
        elif section is None:
            raise UserError(f"{where}: {name} is not a setting; {_hint(name, {**KEYS, 'log': 'log'})}")
        elif not isinstance(value, dict):
            raise UserError(f"{where}: {name} is a section; write [{name}], and its settings on the lines below")
        else:
            for key, each in cast(dict[str, Any], value).items():
                if key not in section:
                    known = {own: f"[{name}] {own}" for own in section}
                    hint = _hint(key, {key: KEYS[key]} if key in KEYS else known)
                    raise UserError(f"{where}: [{name}] {key} is not a setting; {hint}")
                _check(each, section[key], f"{where}: [{name}] {key}", strict, key in SECRETS)
                _check_secret(key, each, f"{where}: [{name}] {key}")
    try:
        return msgspec.convert(data, Settings, strict=strict)
    except msgspec.ValidationError as error:  # values that contradict each other
        raise UserError(f"{where}: {error}") from error


def _check(value: object, kind: Any, where: str, strict: bool, secret: bool = False) -> None:
    try:
        found = msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as error:
        if get_origin(kind) is Literal:
            raise UserError(f"{where}: {error}; give one of {', '.join(map(repr, get_args(kind)))}") from error
        shown = "" if secret else f" (value: {reprlib.repr(value)})"
        raise UserError(f"{where}: {error}{shown}{'; give true or false' if kind is bool else ''}") from error
    if isinstance(found, float) and not math.isfinite(found):
        raise UserError(f"{where} is {found}; give a finite number")
    if isinstance(found, str) and "\0" in found:
        raise UserError(f"{where} contains a null character; remove it")


def _check_log(url: str, where: str) -> None:
    if url.startswith("kafka:") and "@" in url:
        raise UserError(
            f"{where}: user and password must not be in the address, because it is printed: set [kafka] sasl_username "
            "and STREAM_NB_KAFKA_SASL_PASSWORD"
        )


def _check_secret(key: str, value: object, where: str) -> None:
    if key in SECRETS and not str(value).isprintable():
        raise UserError(
            f"{where} contains a line end or another character that clients cannot send; remove it "
            "(a Kubernetes secret made with `echo` ends with one: use `echo -n`)"
        )


def _hint(name: str, known: Mapping[str, str]) -> str:
    """A hint about an unknown name; `known` maps each known name to its full form."""
    near = get_close_matches(name, known, 1, 0.75)
    return f"did you mean {known[near[0]]}?" if near else "`stream-nb settings` lists them"


def _of_kubernetes(variable: str, text: str) -> bool:
    """Whether Kubernetes made this variable: it describes each service to all containers of its namespace, and those of
    a service named stream-nb-filter begin like settings."""
    return _SERVICE.fullmatch(variable) is not None or _ADDRESS.fullmatch(f"{variable}={text}") is not None


def _overlay(data: dict[str, Any], environ: Mapping[str, str]) -> None:
    """Write the variables into `data`; raises UserError for a variable with the prefix that is not a setting."""
    variables = {f"{ENV_PREFIX}{name}_{key}".upper(): (name, key) for name in SECTIONS for key in SECTIONS[name]}
    for variable, text in sorted(environ.items()):
        if not variable.startswith(ENV_PREFIX) or variable in ("STREAM_NB_CONFIG", "STREAM_NB_DATA"):
            continue
        if _of_kubernetes(variable, text):
            continue
        if variable == LOG_VARIABLE:
            _check_log(text, f"environment: {variable}")
            data["log"] = text
            continue
        if variable not in variables:
            known = {each.removeprefix(ENV_PREFIX): each for each in (*variables, LOG_VARIABLE)}
            hint = _hint(variable.removeprefix(ENV_PREFIX), known)
            raise UserError(f"environment: {variable} is not a setting; {hint}")
        name, key = variables[variable]
        _check(text, SECTIONS[name][key], f"environment: {variable}", strict=False)
        _check_secret(key, text, f"environment: {variable}")
        data.setdefault(name, {})[key] = text
