package openaichat

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"marvin/providers"
	"marvin/providers/internal/sse"
)

func TestListsThatCannotBeHad(t *testing.T) {
	asked := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.Header.Get("Authorization") + "|" + r.Header.Get("X-Api-Key") + "|" + r.Header.Get("Anthropic-Version")
		_, _ = io.WriteString(w, `{"data":[{"id":"b"},{"id":"models/"},{"id":""},{"id":"models/a","context_length":0.5},{"id":"c","context_length":1},{"id":"d","context_length":1e9},{"id":"e","context_length":"9"}]}`)
	}))
	for want, config := range map[string]Config{
		"Bearer k||": {Key: "k"}, "||": {}, "|k|2023-06-01": {Key: "k", Anthropic: true}, "||2023-06-01": {Anthropic: true},
	} {
		config.Provider, config.BaseURL, config.HTTP = "mine", server.URL+"/v1//", server.Client()
		list, err := List(t.Context(), config)
		if err != nil || len(list) != 5 || asked != want || list[0] != (ListedModel{Name: "a"}) || list[2] != (ListedModel{Name: "c", Window: 1}) || list[3] != (ListedModel{Name: "d"}) || list[4] != (ListedModel{Name: "e"}) {
			t.Errorf("%q: asked %q, %+v, %v", want, asked, list, err)
		}
	}
	server.Close()
	for _, address := range []string{server.URL, "http://h\x7f", ""} {
		list, err := List(t.Context(), Config{Provider: "mine", BaseURL: address, HTTP: server.Client()})
		if err == nil || !strings.HasPrefix(err.Error(), "list the models of mine: ") || list != nil {
			t.Errorf("%q: %v, %v", address, list, err)
		}
	}
}

// The end of a stream decides which error an answer has.
func TestStreamEnd(t *testing.T) {
	broken := errors.New("a broken event")
	for name, test := range map[string]struct {
		answer answer
		err    error
		want   error
		text   string
	}{
		"finished":            {answer{finish: "stop"}, io.ErrUnexpectedEOF, nil, ""},
		"broken":              {answer{damage: damage{first: broken}}, io.EOF, broken, "a broken event"},
		"broken, then sound":  {answer{damage: damage{first: broken, sound: true}}, io.EOF, providers.ErrCut, "mine ended the stream without saying that it is complete"},
		"broken, but at end":  {answer{finish: "stop", damage: damage{first: broken}}, io.EOF, nil, ""},
		"too long":            {answer{}, sse.ErrTooLong, providers.ErrTooMuch, ""},
		"ended":               {answer{}, io.EOF, providers.ErrCut, "mine ended the stream"},
		"the connection went": {answer{}, io.ErrClosedPipe, providers.ErrCut, "the connection to mine broke: io: read/write on closed pipe"},
	} {
		test.answer.provider = "mine"
		got := test.answer.endError(test.err)
		if !errors.Is(got, test.want) || test.want == nil && got != nil || got != nil && !strings.Contains(got.Error(), test.text) {
			t.Errorf("%s: %v", name, got)
		}
	}
	a := answer{provider: "mine", key: "secret-key"}
	if err := a.readWhole(failing{}, "text/html"); !errors.Is(err, providers.ErrCut) {
		t.Errorf("a body that breaks: %v", err)
	}
	for _, length := range []int{199, 200, 201, 5000} {
		text := a.excerpt([]byte(strings.Repeat("x", length)))
		if want := min(length, 200); strings.Count(text, "x") != want || strings.HasSuffix(text, "…") != (length > 200) {
			t.Errorf("%d bytes: %q", length, text)
		}
	}
	if text := a.excerpt([]byte("the secret-key")); text != "the [key]" {
		t.Errorf("%q", text)
	}
}

// Usage after an answer is read when it comes, and is unknown if none comes.
func TestUsageThatComesLate(t *testing.T) {
	for text, want := range map[string]providers.Usage{
		`data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}`:                                                   {Input: 7, Output: 2, Known: true},
		`data: {"choices":[],"usage":{"prompt_tokens":7,"prompt_tokens_details":{"cached_tokens":3},"prompt_cache_hit_tokens":4}}`: {Input: 7, Cached: 4, Known: true},
		`data: {"choices":[]}` + "\n\n" + `data: {"usage":{"prompt_tokens":1}}`:                                                    {Input: 1, Known: true},
		`data: [DONE]`: {},
		`data: {"error":{"message":"no"}}` + "\n\n" + `data: {"usage":{"prompt_tokens":1}}`: {},
		``: {},
	} {
		r := follow(t.Context(), sse.NewReader(strings.NewReader(text+"\n\n"), 1<<20))
		if got := r.awaitUsage(""); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
		for range r.events { // read the rest, so that its goroutine ends
			continue
		}
	}
}

// failing is a body whose connection is closed.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }
