package openaichat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"marvin/providers"
	"marvin/providers/internal/stream"
)

// FuzzAnswer reads any bytes as an answer: no panic, the emitted text equals the reply's text, and
// an answer without error has a finish reason.
func FuzzAnswer(f *testing.F) {
	f.Add("text/event-stream", []byte("data: {\"choices\":[{\"delta\":{\"content\":\"a\",\"tool_calls\":[{\"index\":0,\"id\":\"x\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}}]}\n\ndata: {\"choices\":[{\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1}}\n\ndata: [DONE]\n\n"))
	f.Add("text/event-stream", []byte(": hi\r\ndata:{\"error\":{\"message\":\"sk-secret \\u001b[2J\",\"code\":\"x\"}}"))
	f.Add("application/json", []byte(`{"choices":[{"message":{"content":"a"},"finish_reason":"length"}]}`))
	f.Add("text/html", []byte("<html><script>x</script>sk-secret"))
	f.Add("text/event-stream", []byte("data: {\"choices\":[{\"delta\":{\"content\":[{\"text\":\"a\"},7],\"tool_calls\":[{\"index\":\"0\",\"id\":7,\"function\":{\"arguments\":{\"a\":1}}},{\"index\":-1}]}}]}\n\ndata: [1]"))
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		var emitted strings.Builder
		a := &answer{provider: "x", key: "sk-secret", pieces: stream.Pieces{To: func(part providers.Part) {
			if part.Kind == providers.TextPart {
				emitted.WriteString(part.Text)
			}
		}}}
		err := a.read(t.Context(), &http.Response{Header: http.Header{"Content-Type": {contentType}}, Body: io.NopCloser(bytes.NewReader(body))}, func(error) {})
		reply := a.reply()
		if reply.Text != emitted.String() || !utf8.ValidString(reply.Text) {
			t.Errorf("emitted %q, reply %q", emitted.String(), reply.Text)
		}
		if err == nil && reply.Finish == providers.Cut {
			t.Error("neither an error nor a finish")
		}
		if err != nil {
			text := err.Error()
			if strings.Contains(text, "sk-secret") || strings.ContainsFunc(text, unicode.IsControl) || len(text) > 1000 || !utf8.ValidString(text) {
				t.Errorf("error %q", text)
			}
		}
	})
}

// FuzzCalls divides calls in each way that servers do, and expects complete calls.
func FuzzCalls(f *testing.F) {
	f.Add(uint64(1), uint8(0), "a.go")
	f.Add(uint64(2), uint8(1), "{\"}")
	f.Add(uint64(3), uint8(2), "\\")
	f.Add(uint64(4), uint8(3), "å👋")
	f.Add(uint64(5), uint8(4), "")
	f.Fuzz(func(t *testing.T, seed uint64, way uint8, value string) {
		random := rand.New(rand.NewPCG(seed, 7))
		type whole struct{ id, name, args string }
		var want []whole
		for i := range 1 + random.IntN(4) {
			args, err := json.Marshal(map[string]any{"path": value, "n": i})
			if err != nil {
				t.Skip()
			}
			want = append(want, whole{fmt.Sprint("id", i), fmt.Sprint("tool_", random.IntN(2)), string(args)})
		}
		queues := make([][]callDelta, len(want))
		for i, call := range want {
			queues[i] = cutCall(random, int(way)%5, i, call.id, call.name, call.args)
		}
		var calls assembly
		for left := len(want); left > 0; {
			i := len(want) - left
			if int(way)%5 == 0 { // pieces of several calls can alternate only with an index
				i = random.IntN(len(queues))
			}
			if len(queues[i]) == 0 {
				if int(way)%5 != 0 {
					left--
				} else if empty(queues) {
					break
				}
				continue
			}
			calls.add(queues[i][0])
			queues[i] = queues[i][1:]
		}
		got := calls.list("x")
		if len(got) != len(want) {
			t.Fatalf("way %d: %d calls, want %d: %s", way%5, len(got), len(want), got)
		}
		found := map[string]string{}
		for _, call := range got {
			found[call.Name+string(call.Args)] = call.ID
		}
		for _, call := range want {
			if _, ok := found[call.name+call.args]; !ok {
				t.Errorf("way %d: lost %s %s in %s", way%5, call.name, call.args, got)
			}
		}
	})
}

func empty(queues [][]callDelta) bool {
	for _, queue := range queues {
		if len(queue) > 0 {
			return false
		}
	}
	return true
}

// cutCall writes a call as pieces. Ways: 0 with index; 1 without index, ids; 2 without index and
// id, names repeated; 3 index always 0, ids in the first piece; 4 neither index nor id, name in the
// first piece.
func cutCall(random *rand.Rand, way, i int, id, name, args string) (pieces []callDelta) {
	first := true
	runes := []rune(args)
	for first || len(runes) > 0 {
		n := min(len(runes), random.IntN(len(runes)+1))
		if first && random.IntN(2) == 0 {
			n = 0
		}
		encoded, _ := json.Marshal(string(runes[:n]))
		runes = runes[n:]
		piece := callDelta{Function: functionDelta{Arguments: encoded}}
		if way == 0 {
			piece.Index = fmt.Appendf(nil, "%d", i)
		}
		if way == 3 {
			piece.Index = []byte("0")
		}
		if first && (way == 0 || way == 1 || way == 3) {
			piece.ID = text(id)
		}
		if first || way == 2 {
			piece.Function.Name = name
		}
		first = false
		pieces = append(pieces, piece)
	}
	return pieces
}

// TestStreamCutAtEveryByte is row 19 at the level of the protocol: wherever a stream is cut, the
// answer never counts as finished.
func TestStreamCutAtEveryByte(t *testing.T) {
	whole := "data: {\"choices\":[{\"delta\":{\"content\":\"å\",\"tool_calls\":[{\"index\":0,\"id\":\"x\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}"
	for n := range len(whole) {
		a := &answer{provider: "x", pieces: stream.Pieces{To: func(providers.Part) {}}}
		err := a.read(t.Context(), &http.Response{Header: http.Header{}, Body: io.NopCloser(strings.NewReader(whole[:n]))}, func(error) {})
		if err == nil || a.reply().Finish != providers.Cut {
			t.Fatalf("cut behind %q: %v", whole[:n], err)
		}
	}
}
