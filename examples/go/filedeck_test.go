package example

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// service is one filedeck for all tests of the package.
var service struct {
	BaseURL string `json:"baseUrl"`
	Token   string `json:"token"`
	TestAPI string `json:"testApi"`
}

func TestMain(m *testing.M) {
	code, err := withService(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(code)
}

// withService starts filedeck on a free port, and stops it when run has ended.
func withService(run func() int) (int, error) {
	folder, err := os.MkdirTemp("", "filedeck-go-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	ready := filepath.Join(folder, "ready.json")
	program := os.Getenv("FILEDECK")
	if program == "" {
		program = "filedeck"
	}
	command := exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--ready-file", ready,
		"--exit-with-parent", "--test-api", "--strict")
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if told, err := os.ReadFile(ready); err == nil {
			if err := json.Unmarshal(told, &service); err != nil {
				return 0, err
			}
			break
		}
		select {
		case err := <-ended:
			return 0, fmt.Errorf("filedeck did not start: %v", err)
		default:
		}
		if time.Now().After(end) {
			command.Process.Kill()
			return 0, fmt.Errorf("filedeck was not ready in time")
		}
	}
	code := run()
	command.Process.Signal(os.Interrupt)
	return code, <-ended
}

// reset begins a test with the sample library.
func reset(t *testing.T) {
	t.Helper()
	steer(t, "POST", "reset", nil)
}

// call sends a request with the token.
func call(t *testing.T, method, url, contentType string, body io.Reader) (int, []byte) {
	t.Helper()
	request, err := http.NewRequest(method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+service.Token)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	told, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, told
}

// steer makes a call of the test API, by its last word.
func steer(t *testing.T, method, word string, body any) []byte {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	status, told := call(t, method, service.TestAPI+"/"+word, "application/json", bytes.NewReader(text))
	if status >= 400 {
		t.Fatalf("%s %s: %d %s", method, word, status, told)
	}
	return told
}
