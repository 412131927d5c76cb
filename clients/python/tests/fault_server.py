import socket
import struct
import threading
import time
from typing import Callable, List, Sequence

SCORE = (
    b'{"trust_score": 91, "risk_level": "low", "reasons": [], '
    b'"request_id": "0d4ff2c0-0000-7000-8000-000000000000", "processed_at": "2026-11-21T10:30:00.123Z"}'
)
Reaction = Callable[[socket.socket], None]


class FaultServer:
    """Reacts to its first request as the first entry says, and so on; the last entry is repeated."""

    def __init__(self, reactions: Sequence[Reaction]) -> None:
        self.requests: List[bytes] = []
        self.times: List[float] = []
        self._reactions = reactions
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> "FaultServer":
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            request = _read_request(connection)
            self.times.append(time.monotonic())
            self.requests.append(request)
            reaction = self._reactions[min(len(self.requests), len(self._reactions)) - 1]
            try:
                reaction(connection)
            except OSError:
                pass  # The client left.


def _read_request(connection: socket.socket) -> bytes:
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65_536)
    head, _, body = received.partition(b"\r\n\r\n")
    length = 0
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    while len(body) < length:
        body += connection.recv(65_536)
    return head + b"\r\n\r\n" + body


def answer(status: int, body: bytes, *headers: str) -> Reaction:
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", "Connection: close", *headers, "", ""]
    return lambda connection: connection.sendall("\r\n".join(lines).encode() + body)


def problem(status: int, code: str, *headers: str) -> Reaction:
    body = f'{{"code": "{code}", "status": {status}, "detail": "a detail", "request_id": "an id"}}'
    return answer(status, body.encode(), *headers)


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def hang(connection: socket.socket) -> None:
    connection.recv(1)


def drip(start: bytes) -> Reaction:
    def send(connection: socket.socket) -> None:
        connection.sendall(start)
        while True:
            time.sleep(0.02)
            connection.sendall(b" " if start else b"H")

    return send


def flood(counts: List[int]) -> Reaction:
    """An answer of a gigabyte. The list gets the size of each block that was sent."""

    def send(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n")
        for _ in range(16_384):
            connection.sendall(b" " * 65_536)
            counts.append(65_536)

    return send
