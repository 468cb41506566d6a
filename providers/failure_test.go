package providers_test

import (
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"marvin/providers"
)

func response(status int, body string, header ...string) *http.Response {
	answer := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
	for i := 0; i+1 < len(header); i += 2 {
		answer.Header.Set(header[i], header[i+1])
	}
	return answer
}

func TestServersErrorShapes(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"OpenAI", `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`, "You exceeded your current quota (insufficient_quota)"},
		{"Gemini", `[{"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}]`, "Resource has been exhausted"},
		{"OpenRouter", `{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"too busy","provider_name":"X"}}}`, "Provider returned error: too busy"},
		{"Ollama", `{"error":"model 'x' not found"}`, "model 'x' not found"},
		{"vLLM", `{"object":"error","message":"max_tokens is too large","type":"BadRequestError","code":400}`, "max_tokens is too large"},
		{"FastAPI", `{"detail":[{"loc":["body"],"msg":"field required"}]}`, "field required"},
		{"a page", "<!DOCTYPE html><html><head><style>p{}</style><title>502 Bad&nbsp;Gateway</title><script>x()</script></head><body><h1>Bad gateway</h1><p>cloud</body>", "502 Bad Gateway Bad gateway cloud"},
		{"text", "upstream\r\n\x1b[31mfailed\x1b[0m", "upstream [31mfailed [0m"},
		{"nothing", "", ""},
		{"an empty object", "{}", ""},
		{"the key", `{"error":"Incorrect API key provided: sk-secret."}`, "Incorrect API key provided: [key]."},
		{"the key in disguise", "sk-se\u200bcret sk-sec\u0000ret", "sk-se cret sk-sec ret"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := providers.ReadStatus("groq", response(429, test.body), "sk-secret")
			if got.Message != test.want || got.Status != 429 || got.Provider != "groq" {
				t.Errorf("%+v, want %q", got, test.want)
			}
		})
	}
}

func TestLongMessagesAreCutBetweenCharacters(t *testing.T) {
	got := providers.Clean(strings.Repeat("å", 1000), "")
	if len(got) > 500 || !strings.HasSuffix(got, "å…") || strings.ContainsRune(got, '\ufffd') {
		t.Errorf("%d bytes: …%q", len(got), got[len(got)-10:])
	}
}

func TestWindowErrorIsErrTooLong(t *testing.T) {
	body := `{"error":{"message":"Please reduce the length of the messages.","code":"context_length_exceeded"}}`
	if err := providers.ReadStatus("openai", response(400, body), ""); !errors.Is(err, providers.ErrTooLong) {
		t.Error(err)
	}
	for _, body := range []string{ // Groq's, and nginx's
		`{"error":{"message":"Request too large for model on tokens per minute (TPM): Limit 12000, Requested 13000, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}`,
		"<html><head><title>413 Request Entity Too Large</title></head></html>",
	} {
		if err := providers.ReadStatus("groq", response(413, body), ""); !errors.Is(err, providers.ErrTooLong) {
			t.Errorf("%v", err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	const date = "Fri, 20 Nov 2026 11:00:00 GMT"
	for _, test := range []struct {
		value string
		want  time.Duration
	}{
		{"7", 7 * time.Second},
		{" 1.5 ", 1500 * time.Millisecond},
		{"Fri, 20 Nov 2026 11:00:30 GMT", 30 * time.Second},
		{"Fri, 20 Nov 2026 10:00:00 GMT", 0},
		{"0", 0},
		{"-3", 0},
		{"soon", 0},
		{"", 0},
		{"1e300", 0},
		{"NaN", 0},
	} {
		got := providers.ReadStatus("x", response(429, "", "Retry-After", test.value, "Date", date), "")
		if got.RetryAfter != test.want {
			t.Errorf("%q: %v, want %v", test.value, got.RetryAfter, test.want)
		}
		if now := test.value == "0" || strings.HasSuffix(test.value, "10:00:00 GMT"); got.RetryNow != now {
			t.Errorf("%q: at once %v, want %v", test.value, got.RetryNow, now)
		}
	}
	body := `[{"error":{"code":429,"message":"quota","details":[{"@type":"type.googleapis.com/google.rpc.Help"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}]`
	if got := providers.ReadStatus("gemini", response(429, body), ""); got.RetryAfter != 34500*time.Millisecond {
		t.Errorf("in the body: %v", got.RetryAfter)
	}
}

// ask returns the error of a client for an address.
func ask(t *testing.T, address string) error {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := new(http.Client).Do(request)
	if err == nil {
		answer.Body.Close()
		t.Fatalf("%s answered", address)
	}
	return providers.Unreachable(request.URL, err)
}

func TestUnreachableNamesHostAndNextStep(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := listener.Addr().String()
	listener.Close()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // it would report the failed handshake
	secure.StartTLS()
	defer secure.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	for address, want := range map[string]string{
		"http://" + closed + "/v1?key=secret": "check that the server is running",
		secure.URL:                            "SSL_CERT_FILE",
		strings.Replace(plain.URL, "http://", "https://", 1): "begin the URL with http://",
		"http://no-such-host.invalid":                        "host name",
	} {
		err := ask(t, address)
		place, _ := url.Parse(address)
		if !errors.Is(err, providers.ErrUnreachable) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), place.Host) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v; want %s", address, err, want)
		}
	}
}
