"""`paperledger serve`: the research service on this machine."""

from __future__ import annotations

import gc
import logging
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import Invocation, paperledger_command, read_secret
from cli.errors import AddressInUse, SettingsInvalid

if TYPE_CHECKING:
    from cli.settings import Settings
    from harness.service.settings import ServiceSettings


_BACKLOG = 128


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8091, show_default=True, help="Port; 0 takes a free one."
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="File with the token that callers must send, a second one on its second line.",
)
@click.option("--no-auth", is_flag=True, help="Ask for no token; loopback only, and the default there without one.")
@click.option("--max-runs", type=click.IntRange(1), help="Runs at the same time.")
@click.option("--model", metavar="NAME", help="`extractive` (offline, default) or a model of the endpoint.")
@paperledger_command
def serve(
    invocation: Invocation,
    host: str,
    port: int,
    token_file: Path | None,
    no_auth: bool,
    max_runs: int | None,
    model: str | None,
) -> None:
    """Serve research turns over HTTP until Ctrl-C or SIGTERM; running turns are given time to end."""
    from cli.log import configure_log
    from cli.wiring import model_factory, offline_notice, open_library
    from harness.runtime import ResearchRuntime
    from harness.service.app import create_app
    from harness.service.server import create_server

    settings = invocation.settings(max_runs=max_runs, model=model)
    configure_log(settings.log)
    service = service_settings(settings, token_file=token_file, no_auth=no_auth)
    with open_library(settings) as library:
        runtime = ResearchRuntime(library.gateway, model_factory(settings), notice=offline_notice(settings))
        app = create_app(service, runner=runtime, corpus=library.gateway)
        server = create_server(app, service, host=host, port=port)
        # what is loaded by now stays; looking through it for cycles again and again holds every run up for 0.1 s
        gc.collect()
        gc.freeze()
        with _listen(host, port) as listener:
            address = f"http://{'[' + host + ']' if ':' in host else host}:{listener.getsockname()[1]}"
            if invocation.json:
                invocation.emit({"address": address, "library": str(settings.library), "model": settings.model})
                sys.stdout.flush()
            logging.getLogger("paperledger").info("serving %s on %s", settings.library, address)
            server.run(sockets=[listener])


def service_settings(settings: Settings, *, token_file: Path | None, no_auth: bool) -> ServiceSettings:
    """What the service runs with. Without a token it asks for none, which `create_server` allows on loopback only."""
    from cli.wiring import provider_profile, run_limits
    from harness.service.settings import ProviderDescription, ServiceSettings

    tokens: list[str] = []
    if token_file is not None:
        tokens = [line.strip() for line in read_secret(token_file).splitlines() if line.strip()]
        if not tokens:
            message = f"The token file {token_file} is empty."
            raise SettingsInvalid(message)
    elif settings.service_token is not None:
        tokens = [part.strip() for part in settings.service_token.get_secret_value().split(",")]
    offline = settings.model == "extractive"
    return ServiceSettings(
        provider=ProviderDescription(
            provider="extractive" if offline else "openai",
            model=settings.model,
            api_style=None if offline else provider_profile(settings).api,
            api_base_url=None if offline else settings.model_base_url,
            has_api_key=not offline and settings.model_api_key is not None,
        ),
        tokens=tuple(tokens),
        no_auth=no_auth or not tokens,
        max_runs=settings.max_runs,
        ceilings=run_limits(settings),
    )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only where the protocol is named; without it every reply on a kept connection waits 40 ms
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        # the address is told next: from here on callers wait instead of being refused
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        message = f"Cannot listen on {host} port {port}: {error.strerror}."
        raise AddressInUse(message) from None
    return listener
