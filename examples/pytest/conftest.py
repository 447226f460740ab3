"""One filedeck for all tests. Each test begins with the sample library."""

import json
import os
import subprocess
import time

import pytest
import requests


@pytest.fixture(scope="session")
def filedeck(tmp_path_factory):
    """Starts the service on a free port; gives baseUrl, token, pid and testApi."""
    ready = tmp_path_factory.mktemp("filedeck") / "ready.json"
    program = os.environ.get("FILEDECK", "filedeck")
    words = ["serve", "--listen", "127.0.0.1:0", "--ready-file", ready, "--exit-with-parent", "--test-api", "--strict"]
    process = subprocess.Popen([program, *words], stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 20
        while not ready.exists():
            assert process.poll() is None, "filedeck did not start; its log says why"
            assert time.monotonic() < end, "filedeck was not ready in time"
            time.sleep(0.01)
        yield json.loads(ready.read_text())
    finally:
        process.terminate()
        process.wait()


class Service:
    """Calls with the token: of the API by their path, of the test API by their last word."""

    def __init__(self, told):
        self.base_url, self.test_api = told["baseUrl"], told["testApi"]
        self.http = requests.Session()
        self.http.headers["Authorization"] = f"Bearer {told['token']}"

    def call(self, method, path, **more):
        return self.http.request(method, self.base_url + path, timeout=10, **more)

    def steer(self, method, word, body=None):
        answer = self.http.request(method, f"{self.test_api}/{word}", json=body, timeout=10)
        answer.raise_for_status()
        return answer.json() if answer.content else None


@pytest.fixture
def service(filedeck):
    service = Service(filedeck)
    service.steer("POST", "reset")
    return service
