package files

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"marvin/messages"
)

func TestCreateFile(t *testing.T) {
	p := newProject(t, map[string]string{"there": "x", "dir/f": "y"})
	out, err := p.run("create_file", `{"path":"new/deep/a.txt","content":"one\ntwo"}`)
	if err != nil || out.Text != "Created new/deep/a.txt (2 lines, 7 bytes)." || p.get("new/deep/a.txt") != "one\ntwo" {
		t.Errorf("%q, %v", out.Text, err)
	}
	written := "--- /dev/null\n+++ b/new/deep/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n"
	if out.View == nil || *out.View != (messages.View{Kind: messages.Diff, Text: written}) {
		t.Errorf("view %+v", out.View)
	}
	if out, err := p.run("create_file", `{"path":"nothing","content":""}`); err != nil || out.View == nil || *out.View != (messages.View{Kind: messages.Path, Text: "nothing"}) {
		t.Errorf("view of an empty file %+v, %v", out.View, err)
	}
	if got := p.ok("create_file", "path", "empty", "content", ""); got != "Created empty (0 lines, 0 bytes)." || p.get("empty") != "" {
		t.Errorf("%q", got)
	}
	p.failsRaw([]string{"content is required"}, "create_file", `{"path":"forgotten"}`)
	p.failsRaw([]string{"content is required"}, "create_file", `{"path":"forgotten","content":null}`)
	p.fails([]string{"exist", "apply_patch", "append_file"}, "create_file", "path", "there", "content", "new")
	p.fails([]string{"already has exactly this content"}, "create_file", "path", "there", "content", "x")
	p.fails([]string{"is a directory"}, "create_file", "path", "dir", "content", "x")
	p.fails([]string{"not a directory"}, "create_file", "path", "there/below", "content", "x")
	if _, err := os.Stat(filepath.Join(p.dir, "forgotten")); err == nil {
		t.Error("a file was made without content")
	}
	if p.get("there") != "x" {
		t.Error("an existing file was replaced")
	}
}

func TestAppendFile(t *testing.T) {
	p := newProject(t, map[string]string{"f": "one\n", "crlf": "one\r\n", "open": "one", "utf16": "\xff\xfea\x00", "empty": ""})
	if got := p.ok("append_file", "path", "f", "content", "two\nthree\n"); got != "Appended to f, which now has 3 lines." || p.get("f") != "one\ntwo\nthree\n" {
		t.Errorf("%q, %q", got, p.get("f"))
	}
	p.ok("append_file", "path", "crlf", "content", "two\n")
	if p.get("crlf") != "one\r\ntwo\r\n" {
		t.Errorf("%q", p.get("crlf"))
	}
	if got := p.ok("append_file", "path", "open", "content", "two"); !strings.Contains(got, "continues line 1") || p.get("open") != "onetwo" {
		t.Errorf("%q, %q", got, p.get("open"))
	}
	p.ok("append_file", "path", "empty", "content", "x\n")
	p.fails([]string{"create_file"}, "append_file", "path", "missing", "content", "x")
	p.fails([]string{"UTF-16"}, "append_file", "path", "utf16", "content", "x")
	p.fails([]string{"nothing to add"}, "append_file", "path", "f", "content", "")
}

// Adding overwrites nothing, so it is not refused after a change from outside; but
// the model has not seen that change, so an edit still is.
func TestAppendAfterExternalChange(t *testing.T) {
	p := newProject(t, map[string]string{"f": "mine\n"})
	p.ok("read_file", "path", "f")
	p.put("f", "your\n")
	p.ok("append_file", "path", "f", "content", "more\n")
	if p.get("f") != "your\nmore\n" {
		t.Errorf("%q", p.get("f"))
	}
	p.fails([]string{"changed since it was read"}, "apply_patch", "path", "f", "old_str", "nobody's", "new_str", "mine")
	p.ok("read_file", "path", "f")
	p.ok("append_file", "path", "f", "content", "and more\n")
	p.ok("apply_patch", "path", "f", "old_str", "your", "new_str", "mine")
}

// Sub-agents have gates of their own, so two can append at the same moment.
func TestAppendsFromSeveralConversationsAllArrive(t *testing.T) {
	p := newProject(t, map[string]string{"log": ""})
	tool := Tools()[2]
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for j := range 3 {
				call, err := tool.Decode(json.RawMessage(fmt.Sprintf(`{"path":"log","content":"%d-%d\n"}`, i, j)))
				if err == nil {
					_, err = call.Run(context.Background(), p.env)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if lines := strings.Count(p.get("log"), "\n"); lines != 24 {
		t.Errorf("%d lines of 24 arrived", lines)
	}
}
