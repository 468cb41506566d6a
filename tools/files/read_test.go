package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools"
)

func TestReadWholeFileIsRaw(t *testing.T) {
	p := newProject(t, map[string]string{
		"lf": "one\n\ttwo\n\nlast", "crlf": "one\r\ntwo\r\n", "bom": "\xef\xbb\xbfone\n", "empty": "",
	})
	for name, want := range map[string]string{"lf": "one\n\ttwo\n\nlast", "crlf": "one\ntwo\n", "bom": "one\n", "empty": "[the file is empty]"} {
		if got := p.ok("read_file", "path", name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestReadRange(t *testing.T) {
	p := newProject(t, map[string]string{"f": "a\r\nb\r\nc\r\nd\r\n", "g": "", "g:2": "of its own\n"})
	for _, row := range []struct {
		args string
		want string
	}{
		{`{"path":"f","start_line":2,"end_line":3}`, "2. b\n3. c\n"},
		{`{"path":"f","start_line":"2","end_line":"3"}`, "2. b\n3. c\n"},
		{`{"path":"f","start_line":0,"end_line":1}`, "1. a\n"},
		{`{"path":"f","start_line":-5,"end_line":1}`, "1. a\n"},
		{`{"path":"f","start_line":3}`, "3. c\n4. d\n"},
		{`{"path":"f","end_line":2}`, "1. a\n2. b\n"},
		{`{"path":"f","start_line":3,"end_line":0}`, "3. c\n4. d\n"},
		{`{"path":"f","start_line":3,"end_line":-1}`, "3. c\n4. d\n"},
		{`{"path":"f","start_line":3,"end_line":900}`, "3. c\n4. d\n[the file ends here, with line 4]\n"},
		{`{"file_path":"f","start_line":4,"end_line":4}`, "4. d\n"},
		{`{"path":"f","start_line":null,"end_line":null}`, "a\nb\nc\nd\n"},
		{`{"path":"f:2-3"}`, "2. b\n3. c\n"},
		{`{"path":"f:2"}`, "2. b\n"},
		{`{"path":"f#L2-L3"}`, "2. b\n3. c\n"},
		{`{"path":"f:2-3","start_line":4}`, "4. d\n"},
		{`{"path":"g:2"}`, "of its own\n"},
		{`{"path":"f:3-"}`, "3. c\n4. d\n"},
		{`{"path":"f:"}`, "a\nb\nc\nd\n"},
		{`{"path":"f:2:1"}`, "1. a\n2. b\n3. c\n4. d\n[the file ends here, with line 4]\n"},
		{`{"path":"f:2:1:"}`, "1. a\n2. b\n3. c\n4. d\n[the file ends here, with line 4]\n"},
		{`{"path":"f(2,1)"}`, "1. a\n2. b\n3. c\n4. d\n[the file ends here, with line 4]\n"},
		{`{"path":"g:2:1","start_line":1}`, "1. of its own\n"},
	} {
		out, err := p.run("read_file", row.args)
		if err != nil || out.Text != row.want {
			t.Errorf("%s: %q, %v; want %q", row.args, out.Text, err, row.want)
		}
	}
	for args, want := range map[string]string{`{"path":"f"}`: "4 lines", `{"path":"f","start_line":2,"end_line":3}`: "lines 2 to 3", `{"path":"f","start_line":3}`: "lines 3 to 4"} {
		if out, err := p.run("read_file", args); err != nil || out.Summary != want {
			t.Errorf("%s is shown to the user as %q, %v; want %q", args, out.Summary, err, want)
		}
	}
	p.fails([]string{"has only 4 lines", `"start_line": 1, "end_line": 4`}, "read_file", "path", "f", "start_line", 5)
	p.fails([]string{"end_line 2 is before start_line 3"}, "read_file", "path", "f", "start_line", 3, "end_line", 2)
}

func TestReadGateAt10240Bytes(t *testing.T) {
	line := strings.Repeat("x", 63) + "\n"
	p := newProject(t, map[string]string{"fits": strings.Repeat(line, 160), "more": strings.Repeat(line, 160) + "y"})
	if got := p.ok("read_file", "path", "fits"); got != strings.Repeat(line, 160) {
		t.Errorf("%d bytes", len(got))
	}
	if got := p.ok("read_file", "path", "more"); !strings.HasPrefix(got, "1. xxx") || !strings.HasSuffix(got, "\n161. y\n") {
		t.Errorf("%q", got)
	}
	if got := p.ok("read_file", "path", "more", "start_line", 161, "end_line", 161); got != "161. y\n" {
		t.Errorf("%q", got)
	}
}

func TestOneLineOfFiveMegabytes(t *testing.T) {
	p := newProject(t, map[string]string{"min.js": strings.Repeat("äb", 2_500_000), "cut.js": strings.Repeat("ab", 2_500_000) + "\nsecond\n"})
	if got := p.ok("read_file", "path", "min.js"); len(got) > 4096 || !strings.Contains(got, "more bytes on this line]") {
		t.Errorf("%d bytes", len(got))
	}
	got := p.ok("read_file", "path", "min.js", "start_line", 1, "end_line", 1)
	if len(got) > 4096 || !strings.Contains(got, "more bytes on this line]") || strings.Contains(got, "�") {
		t.Errorf("%d bytes, ending in %q", len(got), got[max(0, len(got)-200):])
	}
	if got := p.ok("read_file", "path", "cut.js", "start_line", 2); got != "2. second\n" {
		t.Errorf("%q", got)
	}
}

func TestReadStopsAtWholeLinesBeforeTheGeneralCut(t *testing.T) {
	var content strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&content, "line number %d of a long file\n", i+1)
	}
	p := newProject(t, map[string]string{"long": content.String()})
	got := p.ok("read_file", "path", "long", "start_line", 101, "end_line", 20_000)
	if cut, changed := tools.ResultLimits.Cut(got); changed {
		t.Errorf("the general limits cut again, to %d bytes", len(cut))
	}
	lines := strings.Split(strings.TrimSpace(got), "\n")
	last := len(lines) - 2 + 101
	if want := fmt.Sprintf(`[lines 101 to %d of 20000 are shown. Continue with read_file {"path": "long", "start_line": %d}]`, last, last+1); lines[len(lines)-1] != want {
		t.Errorf("%q, want %q", lines[len(lines)-1], want)
	}
	if want := fmt.Sprintf("%d. line number %d of a long file", last, last); lines[len(lines)-2] != want {
		t.Errorf("%q, want %q", lines[len(lines)-2], want)
	}
}

func TestReadKeepsToTheRoomOfTheContext(t *testing.T) {
	p := newProject(t, map[string]string{"f": strings.Repeat("some words on a line\n", 400), "one": strings.Repeat("日本語", 3000)})
	p.env.Room = 600
	got := p.ok("read_file", "path", "f")
	if tokens := tools.EstimateTokens(got); tokens > 600 || tokens < 300 {
		t.Errorf("%d tokens with room for 600", tokens)
	}
	if !strings.Contains(got, "of 400 are shown") || !strings.Contains(got, "Continue with read_file {") {
		t.Errorf("no notice: %q", got[len(got)-150:])
	}
	if tokens := tools.EstimateTokens(p.ok("read_file", "path", "one", "start_line", 1)); tokens > 600 {
		t.Errorf("%d tokens of one line with room for 600", tokens)
	}
	p.env.Room = 499
	p.fails([]string{"no room left", "499 tokens"}, "read_file", "path", "f")
	p.env.Room = -10
	p.fails([]string{"no room left"}, "read_file", "path", "f", "start_line", 1)
}

func TestReadRefusesWhatIsNoText(t *testing.T) {
	p := newProject(t, map[string]string{
		"utf16": "\xff\xfeh\x00i\x00", "utf16be": "\xfe\xff\x00h", "nul": "text\nmore \x00 text\n",
		"late": strings.Repeat("text\n", 100_000) + "\x00", "elf": "\x7fELF\x02\x01\x01\x00\x00", "zip": "PK\x03\x04\x00\x00", "dir/x": "x",
	})
	for name, says := range map[string]string{
		"utf16": "UTF-16 (little endian)", "utf16be": "UTF-16 (big endian)",
		"nul": "NUL byte at offset 10", "late": "NUL byte at offset 500000", "elf": "binary", "zip": "binary data (application/zip)",
		"dir": "is a directory", "missing": "not exist",
	} {
		p.fails([]string{says}, "read_file", "path", name)
		p.fails([]string{says}, "read_file", "path", name, "start_line", 1, "end_line", 1)
	}
}

func TestReadShowsForeignBytesAndSaysSo(t *testing.T) {
	p := newProject(t, map[string]string{"latin": "caf\xe9\nx"})
	want := "caf�\nx\n[the file is not UTF-8: invalid bytes are shown as �; edit it only with ASCII text]\n"
	if got := p.ok("read_file", "path", "latin"); got != want {
		t.Errorf("%q", got)
	}
}

// A file larger than can be edited is read as a stream; 3 GB would not fit anyway.
func TestReadHugeFile(t *testing.T) {
	p := newProject(t, nil)
	path := filepath.Join(p.dir, "huge.log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	block := bytes.Repeat([]byte("0123456789012345678901234567890\n"), 1<<15) // 1 MiB
	for range 20 {
		if _, err := file.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if got := p.ok("read_file", "path", "huge.log"); !strings.HasSuffix(got, "[lines 1 to 667, of 21 MB, are shown. Continue with read_file {\"path\": \"huge.log\", \"start_line\": 668}]\n") {
		t.Errorf("%q", got[len(got)-200:])
	}
	if got := p.ok("read_file", "path", "huge.log", "start_line", 655_360); got != "655360. 0123456789012345678901234567890\n" {
		t.Errorf("%q", got)
	}
	p.fails([]string{"has only 655360 lines, so there is no line 700000", `"start_line": 655311, "end_line": 655360`}, "read_file", "path", "huge.log", "start_line", 700_000)
	p.fails([]string{"at most 16777216 bytes can be edited"}, "apply_patch", "path", "huge.log", "old_str", "x")

	// Sparse: three gigabytes of NUL are recognised without reading them.
	if err := os.Truncate(filepath.Join(p.dir, "huge.log"), 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 3<<30); err != nil {
		t.Skip("no sparse files here")
	}
	p.fails([]string{"binary data", "3221225472 bytes"}, "read_file", "path", "huge.log", "start_line", 1)
}

func TestReadEndsWithItsContext(t *testing.T) {
	p := newProject(t, map[string]string{"f": strings.Repeat("x\n", 100_000)})
	tool := Tools()[0]
	call, err := tool.Decode(json.RawMessage(`{"path":"f","start_line":99999}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if out, err := call.Run(ctx, p.env); !errors.Is(err, context.Canceled) {
		t.Errorf("%q, %v", out.Text, err)
	}
}
