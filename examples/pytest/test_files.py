"""What a program does with the API would be tested here; these tests call it themselves."""

import json


def upload(service, folder, name, content, **options):
    form = {"folderPath": folder, "options": json.dumps({"access": "PRIVATE", **options})}
    return service.call("POST", "/files/v3/files", data=form, files={"file": (name, content)})


def names(service, path):
    page = service.call("GET", "/files/v3/files/search", params={"path": path})
    return [file["name"] for file in page.json()["results"]]


def test_an_upload_is_listed(service):
    assert upload(service, "/reports", "april.txt", b"42").status_code == 201
    assert names(service, "/reports") == ["april"]


def test_the_upload_of_another_test_is_gone(service):
    assert names(service, "/reports") == []


def test_a_busy_service_is_seen(service):
    service.steer("PUT", "faults", {"faults": ["status=503,times=1"]})
    assert upload(service, "/reports", "april.txt", b"42").status_code == 503
    assert upload(service, "/reports", "april.txt", b"42").status_code == 201
    sent = service.steer("GET", "requests")["requests"]
    assert [request["status"] for request in sent] == [503, 201]


def test_a_file_expires(service):
    upload(service, "/reports", "april.txt", b"42", ttl="P1D")
    service.steer("POST", "clock", {"by": "P1D"})
    assert names(service, "/reports") == []


def test_a_typing_error_does_not_pass(service):
    answer = upload(service, "/reports", "april.txt", b"42", overwite=True)
    assert answer.status_code == 400
    assert "did you mean 'overwrite'?" in answer.json()["message"]
