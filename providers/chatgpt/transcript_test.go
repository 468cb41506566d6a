package chatgpt_test

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/persistence/goldentest"
	"marvin/providers"
	"marvin/providers/chatgpt"
)

// answering simulates OpenAI: it answers each path with one status and text, and records the
// requests.
type answering struct {
	answers map[string]string // status and text, by path
	asked   []string
}

func (a *answering) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	noted := "asked " + request.Method + " " + request.URL.String()
	for _, name := range []string{"Authorization", "Chatgpt-Account-Id", "Originator", "User-Agent"} {
		if value := request.Header.Get(name); value != "" && !strings.HasPrefix(value, "Go-http") {
			noted += fmt.Sprintf(" %s=%q", name, value)
		}
	}
	body, _ := io.ReadAll(request.Body) // the record shows an incomplete body
	a.asked = append(a.asked, strings.TrimSpace(noted+" "+string(body)))
	status, text, _ := strings.Cut(cmp.Or(a.answers[request.URL.Path], "404 no answer was set up for this"), " ")
	code, err := strconv.Atoi(status)
	if err != nil {
		code = http.StatusTeapot
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, text)
}

// A login is used, renewed, refused and lost, and the models of its plan are listed.
func TestAnswersWithAPlan(t *testing.T) {
	server := &answering{answers: map[string]string{}}
	played := httptest.NewServer(server)
	t.Cleanup(played.Close)
	client := &http.Client{Transport: detour{played.URL}}
	now := time.Unix(1_700_000_000, 0).UTC()
	var kept chatgpt.Tokens
	var broken, locked error
	account := chatgpt.NewAccount(chatgpt.Store{
		Load: func() (chatgpt.Tokens, error) { return kept, broken },
		Save: func(tokens chatgpt.Tokens) error { kept = tokens; return nil },
		Lock: func() (func() error, error) { return func() error { return nil }, locked },
	}, func() *http.Client { return client }, func() time.Time { return now })
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(name, args string) (text string, err error) {
		switch name {
		case "answer":
			path, answer, _ := strings.Cut(args, " ")
			for strings.Contains(answer, "JWT(") { // a token with claims
				at := strings.Index(answer, "JWT(")
				end := at + strings.Index(answer[at:], ")")
				answer = answer[:at] + "h." + base64.RawURLEncoding.EncodeToString([]byte(answer[at+4:end])) + ".s" + answer[end+1:]
			}
			server.answers[path] = answer
			return "", nil
		case "later":
			wait, err := time.ParseDuration(args)
			now = now.Add(wait)
			return "", err
		case "kept":
			fields := strings.Fields(args)
			kept = chatgpt.Tokens{Access: fields[0], Refresh: fields[1], Account: fields[2], Expires: now.Add(time.Hour)}
			if len(fields) > 3 {
				kept.Expires = time.Time{}
			}
			return "", nil
		case "nobody":
			kept = chatgpt.Tokens{}
			return "", nil
		case "broken":
			broken = errors.New("the file is damaged")
			return "", nil
		case "whole":
			broken = nil
			return "", nil
		case "alone":
			locked = errors.New("it is locked")
			return "", nil
		case "bearer":
			token, id, failed := account.Bearer(t.Context(), args)
			text, err = fmt.Sprintf("%s of %s; kept %s %s %s, ends %t", token, id, kept.Access, kept.Refresh, kept.Account, !kept.Expires.IsZero()), failed
		case "models":
			list, failed := account.Models(t.Context(), args, client)
			text, err = strings.Join(list, ", "), failed
		default:
			return "", fmt.Errorf("nothing is called %s", name)
		}
		if errors.Is(err, providers.ErrNoKey) {
			text += "\nno key"
		}
		text = strings.TrimSpace(strings.Join(append(server.asked, text), "\n"))
		server.asked = nil
		return text, err
	})
	for name, want := range map[string]string{"Authorization": "Bearer t", "Chatgpt-Account-Id": "a"} {
		if got := chatgpt.Header("t", "a").Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
}
