package push

import (
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"marvin/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func server(t *testing.T, answer http.HandlerFunc) *http.Client {
	t.Helper()
	server := httptest.NewServer(answer)
	client := tools.NewHTTPClient(map[string]string{"ntfy.sh": server.URL})
	t.Cleanup(func() { client.CloseIdleConnections(); server.Close() })
	return client
}

// The form is that of https://docs.ntfy.sh/subscribe/api/ (JSON message format).
const cached = `{"id":"SLiKI64DOt","time":1635528757,"event":"open","topic":"mytopic"}
{"id":"hwQ2YpKdmg","time":1635528741,"expires":1635571941,"event":"message","topic":"mytopic","message":"Disk full"}
{"id":"DGUDShMCsc","time":1635528787,"event":"keepalive","topic":"mytopic"}
half a line {
{"id":"sPs71M8A2T","time":1643935928,"expires":1643936928,"event":"message","topic":"mytopic","priority":5,"tags":["warning","skull"],"title":"Unauthorized access detected","message":"Movement detected in the yard. You better go check","attachment":{"name":"camera.jpg","type":"image/png","size":8848,"expires":1643946728,"url":"https://ntfy.sh/file/sPs71M8A2T.png"}}
`

func TestPollKeepsMessagesOnly(t *testing.T) {
	var asked string
	client := server(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.RequestURI()
		_, _ = io.WriteString(w, cached)
	})
	got, err := Poll(t.Context(), client, "mytopic", "hwQ2YpKdmh")
	if err != nil || len(got) != 2 || got[0].Text != "Disk full" || got[1].Title != "Unauthorized access detected" || got[1].Attachment.Name != "camera.jpg" {
		t.Errorf("%+v, %v", got, err)
	}
	if asked != "/mytopic/json?poll=1&since=hwQ2YpKdmh" {
		t.Errorf("asked %s", asked)
	}
}

func TestPollTroubleIsReported(t *testing.T) {
	if got, err := Poll(t.Context(), nil, "a\nb", "all"); len(got) > 0 || err == nil || !strings.HasPrefix(err.Error(), `"a\nb" is not a topic: `) {
		t.Errorf("%v, %v", got, err)
	}
	for _, test := range []struct {
		status     int
		body, want string
	}{
		{200, "", ""},
		{200, " \n\n", ""},
		{200, "<html>Please log in</html>", "login page"},
		{200, strings.Repeat("x", pollLimit+1), "more than"},
		// https://docs.ntfy.sh/publish/#limitations and the server's errors.go
		{429, `{"code":42901,"http":429,"error":"limit reached: too many requests","link":"https://ntfy.sh/docs/publish/#limitations"}`, "limit reached: too many requests"},
		{403, `{"code":40301,"http":403,"error":"forbidden"}`, "403"},
		{503, "", "try again later"},
	} {
		client := server(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(test.status)
			_, _ = io.WriteString(w, test.body)
		})
		got, err := Poll(t.Context(), client, "t", "all")
		if len(got) > 0 || (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%d %.40q: %v, %v", test.status, test.body, got, err)
		}
	}
}

func TestATitleWithEmojiOrLineBreaksIsOneCleanHeader(t *testing.T) {
	var title, body, priority string
	client := server(t, func(w http.ResponseWriter, r *http.Request) {
		title, priority = r.Header.Get("Title"), r.Header.Get("Priority")
		content, _ := io.ReadAll(r.Body)
		body = r.URL.Path + " " + string(content)
		_, _ = io.WriteString(w, `{"id":"sPs71M8A2T","time":1643935928,"expires":1643936928,"event":"message","topic":"t","message":"Grüße 😀"}`)
	})
	id, err := Publish(t.Context(), client, "t", "⚠ hoch\r\nPriority: 1\x00 "+strings.Repeat("ü", 100), "Grüße 😀", true)
	if err != nil || id != "sPs71M8A2T" || body != "/t Grüße 😀" || priority != "high" {
		t.Errorf("%q, %v, %q, %q", id, err, body, priority)
	}
	decoded, err := new(mime.WordDecoder).DecodeHeader(title)
	if err != nil || decoded != "⚠ hoch Priority: 1 "+strings.Repeat("ü", 100) || strings.ContainsFunc(title, func(r rune) bool { return r > '~' || r < ' ' }) {
		t.Errorf("%q, %v", title, err)
	}
	if _, err := Publish(t.Context(), client, "t", "", strings.Repeat("x", 4097), false); err == nil || !strings.Contains(err.Error(), "4096") {
		t.Errorf("too long: %v", err)
	}
}

func TestTopics(t *testing.T) {
	for name, want := range map[string]bool{"a": true, "A-b_9": true, "": false, "a/b": false, "a b": false, "ä": false, "..": false, strings.Repeat("a", 64): true, strings.Repeat("a", 65): false} {
		if Topic(name) != want {
			t.Errorf("%q", name)
		}
	}
}
