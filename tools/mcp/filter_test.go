package mcp

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

func TestOnlyMessagesOfAServerAreRead(t *testing.T) {
	const message = `{"jsonrpc":"2.0","id":1,"result":{}}`
	dropped := "[Marvin dropped a message of 8 MB; the limit is 8 MB]"
	for _, one := range []struct{ what, text, read, said string }{
		{"a message", message + "\n", message + "\n", ""},
		{"one without an end", message, message + "\n", ""},
		{"with space", "  " + message + " \r\n\n" + message + "\n", message + "\n" + message + "\n", ""},
		{"a banner", "Welcome\n[info]\n{broken\n" + message + "\n", message + "\n", "Welcome|[info]|{broken"},
		{"a long banner", strings.Repeat("x", 501) + "\n", "", strings.Repeat("x", 500)},
		{"JSON that is no message", `{"level":30}` + "\n", "", `{"level":30}`},
		{"one of the largest size", message + strings.Repeat(" ", longestLine-len(message)-1) + "\n", message + "\n", ""},
		{
			"one that is too long", message[:len(message)-2] + `"a":"` + strings.Repeat("x", longestLine) + "\"}}\n" + message + "\n",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"the answer is larger than 8 MB and was dropped; ask for less at a time"}}` + "\n" + message + "\n", dropped,
		},
		{"one without a number that is too long", `{"jsonrpc":"2.0","method":"x","params":"` + strings.Repeat("x", longestLine) + "\"}\n" + message + "\n", message + "\n", dropped},
		{"nothing", "", "", ""},
	} {
		var said []string
		f := newFilter(io.NopCloser(strings.NewReader(one.text)), func(line string) { said = append(said, line) }, newTraffic(time.Now, nil))
		var read strings.Builder
		part := make([]byte, 100)
		for {
			n, err := f.Read(part)
			read.Write(part[:n])
			if err != nil {
				if err != io.EOF {
					t.Errorf("%s: %v", one.what, err)
				}
				break
			}
			if n == 0 {
				t.Errorf("%s: nothing was read, and it is no end", one.what)
			}
		}
		if read.String() != one.read || strings.Join(said, "|") != one.said {
			t.Errorf("%s: read %.200q, said %.200q", one.what, read.String(), fmt.Sprint(said))
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
