package accounts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"marvin/actors/actorstest"
)

// A browser that returns with the state that it was given ends the wait. Other requests to the port
// do not.
func TestABrowserComesBackFromALogin(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), actorstest.Patience)
	defer stop()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	if _, err := ListenForLogin(ctx, "/back", port); err == nil || !strings.HasPrefix(err.Error(), "no local port is free to receive the login from the browser: ") {
		t.Errorf("at a port that is taken: %v", err)
	}
	v, err := ListenForLogin(ctx, "/back", port, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	visits := func(method, path string) int {
		t.Helper()
		request, err := http.NewRequestWithContext(ctx, method, fmt.Sprintf("http://127.0.0.1:%d%s", v.Port, path), nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		return answer.StatusCode
	}
	if other, post := visits("GET", "/other?state=s1"), visits("POST", "/back?state=s1"); other != 404 || post != 404 {
		t.Errorf("another path gets %d, another method %d", other, post)
	}
	var said bytes.Buffer
	came := make(chan error, 1)
	go func() {
		back, err := v.Browse(ctx, &said, "https://login.example/?state=s1")
		if err == nil && back.Query().Get("code") != "c1" {
			err = fmt.Errorf("it came back as %s", back)
		}
		came <- err
	}()
	for _, path := range []string{"/back?state=s2&code=c2", "/back?state=s1&code=c1"} {
		for ended := false; !ended; { // an unread message blocks the next
			if code := visits("GET", path); code != 200 {
				t.Errorf("%s gets %d", path, code)
			}
			select {
			case err := <-came:
				if err != nil || !strings.HasSuffix(path, "c1") {
					t.Errorf("%s: %v", path, err)
				}
				ended = true
			default:
				ended = strings.HasSuffix(path, "c2")
			}
		}
	}
	if got := said.String(); got != "Open this address in a browser on this machine, and approve the login there:\n\n  https://login.example/?state=s1\n\nMarvin waits for 10m0s.\n" {
		t.Errorf("it says %q", got)
	}
}

func TestUnfinishedLogin(t *testing.T) {
	v, err := ListenForLogin(t.Context(), "/back", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	var said bytes.Buffer
	for _, address := range []string{"", "ftp://login.example/", "login.example", "http://[broken"} {
		if _, err := v.Browse(t.Context(), &said, address); !errors.Is(err, ErrNoPage) || said.Len() > 0 {
			t.Errorf("%q: %v, %q", address, err, said.String())
		}
	}
	gone := errors.New("the person gave up")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(gone)
	if _, err := v.Browse(ctx, &said, "http://login.example/"); !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
}
