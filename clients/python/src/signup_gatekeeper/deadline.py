import io
import ipaddress
import socket
import threading
import time
from typing import Any, List

#: A look-up cannot be interrupted, so it has a thread. More than this wait only when the resolver hangs.
_MAX_LOOKUPS = 16
_lookups = threading.BoundedSemaphore(_MAX_LOOKUPS)


class Deadline:
    """The time limit of one call."""

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    def is_over(self) -> bool:
        return time.monotonic() >= self._ends

    def remaining(self) -> float:
        """Seconds, more than 0. Raises `socket.timeout` when the time is over."""
        seconds = self._ends - time.monotonic()
        if seconds <= 0:
            raise socket.timeout("the time limit is over")
        return seconds


class DeadlineSocket:
    """The part of a socket that `http.client` uses. Its own time limit is per read: slow bytes would extend it."""

    def __init__(self, connected: socket.socket, deadline: Deadline) -> None:
        self._socket = connected
        self._deadline = deadline

    def sendall(self, data: bytes) -> None:
        self._socket.settimeout(self._deadline.remaining())
        self._socket.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self._socket, self._deadline))

    def close(self) -> None:
        """`http.client` closes before the body is read; the caller closes the socket itself."""


class _Reader(io.RawIOBase):
    def __init__(self, connected: socket.socket, deadline: Deadline) -> None:
        self._socket = connected
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._socket.settimeout(self._deadline.remaining())
        return self._socket.recv_into(buffer)


def connect(host: str, port: int, deadline: Deadline) -> socket.socket:
    """Tries every address of the host; each gets an equal part of the time that remains."""
    addresses = _look_up(host, port, deadline)
    failure: OSError = OSError(f"{host} has no address")
    for index, (family, kind, protocol, _, address) in enumerate(addresses):
        candidate = socket.socket(family, kind, protocol)
        try:
            candidate.settimeout(deadline.remaining() / (len(addresses) - index))
            candidate.connect(address)
            candidate.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return candidate
        except OSError as error:
            candidate.close()
            failure = error
    raise failure


def _look_up(host: str, port: int, deadline: Deadline) -> List[Any]:
    try:
        ipaddress.ip_address(host)
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except ValueError:
        pass
    if not _lookups.acquire(timeout=deadline.remaining()):
        raise socket.timeout(f"{_MAX_LOOKUPS} look-ups of names hang")
    found: List[Any] = []
    failed: List[Exception] = []

    def ask() -> None:
        try:
            found.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            failed.append(error)
        finally:
            _lookups.release()

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(deadline.remaining())
    if failed:
        raise failed[0]
    if thread.is_alive():
        raise socket.timeout(f"the look-up of {host} takes too long")
    return found
