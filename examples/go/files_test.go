package example

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/url"
	"reflect"
	"strings"
	"testing"
)

// What a program does with the API would be tested here; these tests call it themselves.

func upload(t *testing.T, folder, name, content, options string) (int, []byte) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	if err != nil {
		t.Fatal(err)
	}
	part.Write([]byte(content))
	form.WriteField("folderPath", folder)
	form.WriteField("options", options)
	form.Close()
	return call(t, "POST", service.BaseURL+"/files/v3/files", form.FormDataContentType(), &body)
}

func names(t *testing.T, path string) []string {
	t.Helper()
	status, told := call(t, "GET", service.BaseURL+"/files/v3/files/search?path="+url.QueryEscape(path), "", nil)
	var page struct{ Results []struct{ Name string } }
	if err := json.Unmarshal(told, &page); err != nil || status != 200 {
		t.Fatalf("%d %s", status, told)
	}
	found := []string{}
	for _, file := range page.Results {
		found = append(found, file.Name)
	}
	return found
}

func expectNames(t *testing.T, path string, wanted ...string) {
	t.Helper()
	if found := names(t, path); !reflect.DeepEqual(found, append([]string{}, wanted...)) {
		t.Fatalf("%s has %v", path, found)
	}
}

func expectStatus(t *testing.T, wanted, status int, told []byte) {
	t.Helper()
	if status != wanted {
		t.Fatalf("%d %s", status, told)
	}
}

const private = `{"access": "PRIVATE"}`

func TestAnUploadIsListed(t *testing.T) {
	reset(t)
	status, told := upload(t, "/reports", "april.txt", "42", private)
	expectStatus(t, 201, status, told)
	expectNames(t, "/reports", "april")
}

func TestTheUploadOfAnotherTestIsGone(t *testing.T) {
	reset(t)
	expectNames(t, "/reports")
}

func TestABusyServiceIsSeen(t *testing.T) {
	reset(t)
	steer(t, "PUT", "faults", map[string]any{"faults": []string{"status=503,times=1"}})
	status, told := upload(t, "/reports", "april.txt", "42", private)
	expectStatus(t, 503, status, told)
	status, told = upload(t, "/reports", "april.txt", "42", private)
	expectStatus(t, 201, status, told)
	var sent struct{ Requests []struct{ Status int } }
	if err := json.Unmarshal(steer(t, "GET", "requests", nil), &sent); err != nil {
		t.Fatal(err)
	}
	if len(sent.Requests) != 2 || sent.Requests[0].Status != 503 || sent.Requests[1].Status != 201 {
		t.Fatalf("%+v", sent)
	}
}

func TestAFileExpires(t *testing.T) {
	reset(t)
	status, told := upload(t, "/reports", "april.txt", "42", `{"access": "PRIVATE", "ttl": "P1D"}`)
	expectStatus(t, 201, status, told)
	steer(t, "POST", "clock", map[string]string{"by": "P1D"})
	expectNames(t, "/reports")
}

func TestATypingErrorDoesNotPass(t *testing.T) {
	reset(t)
	status, told := upload(t, "/reports", "april.txt", "42", `{"access": "PRIVATE", "overwite": true}`)
	expectStatus(t, 400, status, told)
	if !strings.Contains(string(told), "did you mean 'overwrite'?") {
		t.Fatalf("%s", told)
	}
}
