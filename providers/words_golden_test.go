package providers

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/goldentest"
)

// late is a network error after a timeout.
type late struct{ over bool }

func (l late) Error() string   { return "too late" }
func (l late) Timeout() bool   { return l.over }
func (l late) Temporary() bool { return false }

// The golden file has the forms of addresses, errors, pictures, keys and prices, and the known
// properties of each model.
func TestProviderFacts(t *testing.T) {
	var out strings.Builder
	show := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	for _, row := range modelTable {
		about, err := json.Marshal(knownOf("x", row.prefix+"-2026"))
		show("known %s: %s %v, asked as the maker's %v", row.prefix, about, err, knownOf("openrouter", "maker/"+row.prefix).Window == row.window)
	}
	for _, name := range []string{"claude-sonnet-4.6", " CLAUDE_SONNET_4_6 ", "nothing", "", "gpt-5", "gpt"} {
		at, found := rowOf("x", name)
		show("row of %q: %s %t, window %d", name, modelTable[at].prefix, found, Window("x", name))
	}
	for _, wish := range append([]Effort{""}, Efforts...) {
		var fits []string
		for _, has := range [][]Effort{nil, {}, {Low, High}, {Off, Medium}, {Minimal, Max}, {High}} {
			fits = append(fits, string(About{Efforts: has}.Fit(wish)))
		}
		show("effort %q fits %q", wish, fits)
	}
	for _, provider := range []string{"anthropic", Ollama, "groq", "deepseek", "openai", ""} {
		show("what %s read is kept for %s", provider, CacheLasts(provider))
	}
	for _, host := range []string{"", "'10.0.0.1'", "0.0.0.0", "0.0.0.0:80", "[::]", "[::1]:99", "::", "host:0", "host:99999", "host:x", "http://host", "https://host/sub/", "https://host:1", "ftp://host", ":8080", "a b"} {
		address, err := ollamaHost(host, "usual")
		show("OLLAMA_HOST %q: %s %v, here %t, shown %s", host, address, err, loopback(address), redacted(address))
	}
	for _, address := range []string{"http://LOCALHOST:1", "http://127.9.9.9", "http://[::1]", "http://10.0.0.1", "http://localhost.example", "http://a b", "https://me:secret@host/x"} {
		show("%s is here %t, shown %s", address, loopback(address), redacted(address))
	}
	for _, provider := range []Provider{{Name: "p", URLVar: "P_URL", BaseURL: "https://p/v1"}, {Name: "o", URLVar: "P_URL", BaseURL: "http://o", Wire: OllamaWire}, {Name: "q", BaseURL: "https://q"}} {
		for _, text := range []string{"", "host:1", "https://host/v1/chat/completions", "https://host/", "http://host/api?x=y#z", "http://host/v1", "ftp://host", "http://", "http://a b", "https://host/own/v9"} {
			address, err := Wishes{Getenv: func(string) string { return text }}.baseURL(provider)
			show("%s at %q: %s %v", provider.Name, text, address, err)
		}
	}
	for _, err := range []error{
		x509.UnknownAuthorityError{},
		&tls.CertificateVerificationError{Err: errors.New("expired")},
		tls.RecordHeaderError{Msg: "no"},
		errors.New("server gave HTTP response to HTTPS client"),
		&net.DNSError{Err: "no such host", Name: "h"}, syscall.ECONNREFUSED,
		late{true},
		late{},
		errors.New("odd"), &url.Error{Op: "Get", URL: "http://secret", Err: errors.New("inner")},
	} {
		show("%v", Unreachable(&url.URL{Host: "h:1"}, err))
	}
	for _, key := range []string{"k", "", strings.Repeat("k", maxKey), strings.Repeat("k", maxKey+1), "a b", "a\x07", "ä", "a\n"} {
		err := checkKey(key, "P_KEY")
		show("key of %d: %t %v", len(key), err == nil, err)
	}
	for _, body := range []string{
		"", "plain words", "<html><head><title>Bad gateway</title><style>x</style></head><body>nginx &amp; co</body></html>", `{"error":"words"}`, `{"error":{"message":"deep","code":"c"}}`, `{"detail":[{"msg":"one","loc":["body"]},{"msg":"two"}]}`, `[{"error":{"message":"in a list","status":"X"}}]`,
		`{"message":{"message":{"message":{"message":{"message":{"message":"too deep"}}}}}}`, `{"error":{"details":[{"retryDelay":"34s"}],"message":"wait"}}`, `{"error":{"resets_in_seconds":90,"message":"plan"}}`, `{"error":{"resets_in_seconds":-5}}`, `{"error":{"resets_in_seconds":"x"}}`, `{"a":`, "null", "7", `"text"`, `{"error":{"message":"with S3cr3tKey in it"}}`, strings.Repeat("ä", 2000), "a\x00b\u202ec\n\td",
	} {
		status := ServerError("p", 429, []byte(body), "S3cr3tKey")
		show("body %.60q: %.300q after %s, too long %t", body, status.Message, status.RetryAfter, errors.Is(status, ErrTooLong))
	}
	for _, after := range []string{"", "7", "1.5", "-1", "x", "Fri, 13 Feb 2026 12:00:10 GMT", "Fri, 13 Feb 2026 11:00:00 GMT"} {
		response := &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": {after}, "Date": {"Fri, 13 Feb 2026 12:00:00 GMT"}}, Body: io.NopCloser(strings.NewReader(`{"error":{"message":"busy"}}`))}
		status := ReadStatus("p", response, "")
		show("Retry-After %q: %s, %v", after, status.RetryAfter.Round(time.Second), status)
	}
	for _, status := range []int{400, 401, 404, 408, 413, 415, 422, 429, 500, 503} {
		for _, message := range []string{"no image input", "VISION", "not a multimodal model", "bad content type", "content must be a string", "nothing of it"} {
			err := fmt.Errorf("ask: %w", &StatusError{Provider: "p", Status: status, Message: message})
			seen := Question{Messages: []messages.Message{{Pictures: []messages.Picture{{}}}}}
			show("%d %q refuses pictures %t, without any %t; too long %t; advice %q", status, message, RefusesPictures(err, seen), RefusesPictures(err, Question{Messages: []messages.Message{{}}}), errors.Is(err, ErrTooLong), Advice(err))
		}
	}
	show("%t %t", RefusesPictures(errors.New("image"), Question{Messages: []messages.Message{{Result: messages.ToolResult{Pictures: []messages.Picture{{}}}}}}), pictured([]messages.Message{{}, {Result: messages.ToolResult{Pictures: []messages.Picture{{}}}}}))
	show("%s", UnseenNotice("m", errors.New("x")))
	show("%s", UnseenNotice("m", &StatusError{Message: "no <images>\n"}))
	goldentest.Assert(t, "words.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
	if looked := (About{}).SeesPictures(); !looked {
		t.Error("an unknown model is shown no pictures")
	}
}

// A history that another model or a crash left is repaired for strict servers.
func TestHistoryRepair(t *testing.T) {
	var out strings.Builder
	call := func(id, name, args string) messages.ToolCall {
		return messages.ToolCall{ID: id, Name: name, Args: json.RawMessage(args)}
	}
	said := func(text string, calls ...messages.ToolCall) messages.Message {
		return messages.Message{Role: messages.Assistant, Text: text, Calls: calls}
	}
	result := func(id, name, text string) messages.Message {
		return messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: id, Name: name, Text: text, Status: messages.OK}}
	}
	user := messages.Message{Role: messages.User, Text: "go"}
	thoughts := []messages.Thought{{Text: "mine", Origin: "p/m", Offset: 99}, {Text: "of another", Origin: "q/m"}, {Origin: "p/m"}, {Opaque: "sealed", Origin: "p/m", Offset: -1}, {Text: "bad \xff", Origin: "p/m"}}
	for _, row := range []struct {
		name    string
		history []messages.Message
	}{
		{"in order", []messages.Message{user, said("", call("c1", "look", `{"a":1}`)), result("c1", "look", "seen"), said("done")}},
		{"no result", []messages.Message{user, said("", call("c1", "look", `{}`), call("c2", "look", `{}`)), result("c2", "look", "seen"), user}},
		{"results in another order", []messages.Message{said("", call("c1", "a", `{}`), call("c2", "b", `{}`)), result("c2", "b", "2"), result("c1", "a", "1")}},
		{"a result of nothing", []messages.Message{user, result("c9", "look", "lost"), said("done")}},
		{"ids that repeat and are none", []messages.Message{said("", call("c", "a", `{}`), call("c", "b", `{}`), call("", "c", `{}`), call("a b/ü", "d", `{}`)), result("c", "a", "1"), result("c", "b", "2"), result("", "c", "3"), result("a b/ü", "d", "4"), said("", call("c", "a", `{}`)), result("c", "a", "5")}},
		{"names that are none", []messages.Message{said("", call("c1", "a b.c", `{}`), call("c2", "", `{}`), call("c3", strings.Repeat("n", 200), `{}`)), result("c1", "a b.c", "1")}},
		{"arguments", []messages.Message{said("", call("1", "a", ``), call("2", "a", `{"x":`), call("3", "a", `[1]`), call("4", "a", `"text"`), call("5", "a", `null`), call("6", "a", `{"x":"\u0000\ud800y"}`), call("7", "a", "{\"x\":\"\xff\"}"))}},
		{"words", []messages.Message{{Role: messages.User, Text: ""}, said(""), said("\xff"), {Role: messages.System, Text: "news"}, {Role: "odd", Text: "x"}, result("", "", "")}},
		{"thoughts", []messages.Message{{Role: messages.Assistant, Text: "said", Thinking: thoughts}, {Role: messages.Assistant, Thinking: thoughts[:1]}}},
	} {
		for _, origin := range []string{"", "p/m"} {
			fmt.Fprintf(&out, "# %s, for %q\n", row.name, origin)
			for _, message := range RepairFor(origin, row.history) {
				encoded, err := json.Marshal(message)
				fmt.Fprintf(&out, "%s %v\n", encoded, err)
			}
		}
	}
	goldentest.Assert(t, "repaired.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
