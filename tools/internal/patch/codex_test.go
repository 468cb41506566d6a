package patch

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

// update applies the hunks of a patch to one file, and adds the envelope.
func update(t *testing.T, content, hunks string) (string, error) {
	t.Helper()
	sections, err := parse("*** Begin Patch\n*** Update File: f\n" + hunks + "\n*** End Patch")
	if err != nil {
		return "", err
	}
	result, err := Apply([]byte(content), sections[0].Hunks)
	return string(result.Content), err
}

const goFile = `package a

func (x X) Run() {
	start()
	stop()
}

func (y Y) Run() {
	start()
	stop()
}
`

// The format is that of openai/codex, codex-rs/apply-patch (its apply_patch_tool_instructions.md
// and test scenarios). If there are several places, that program takes the first, and this package
// refuses.
func TestApplyHunks(t *testing.T) {
	for name, row := range map[string]struct{ file, hunks, want string }{
		"replace":                 {"a\nb\nc\n", "@@\n a\n-b\n+x\n c", "a\nx\nc\n"},
		"without @@":              {"a\nb\n", " a\n-b\n+x", "a\nx\n"},
		"two hunks":               {"a\nb\nc\nd\n", "@@\n-a\n+1\n@@\n-d\n+4", "1\nb\nc\n4\n"},
		"anchor":                  {goFile, "@@ func (y Y) Run() {\n \tstart()\n-\tstop()\n+\thalt()", strings.TrimSuffix(goFile, "stop()\n}\n") + "halt()\n}\n"},
		"nested anchors":          {"class A\n  def run\n    x\nclass B\n  def run\n    x\n", "@@ class B\n@@ def run\n-    x\n+    y", "class A\n  def run\n    x\nclass B\n  def run\n    y\n"},
		"anchor repeated":         {"f {\n\tx\n}\nf2 {\n\tx\n}\n", "@@ f2 {\n f2 {\n-\tx\n+\ty", "f {\n\tx\n}\nf2 {\n\ty\n}\n"},
		"insertion at an anchor":  {"a\nimport (\nb\n", "@@ import (\n+\tnew", "a\nimport (\n\tnew\nb\n"},
		"unified header":          {"a\nb\n", "@@ -1,2 +1,2 @@ func x\n a\n-b\n+c", "a\nc\n"},
		"end of file":             {"x\na\nx\n", "@@\n-x\n+y\n*** End of File", "x\na\ny\n"},
		"append":                  {"a\n", "@@\n+b\n*** End of File", "a\nb\n"},
		"addition of no place":    {"a\nb\n", "@@\n+c", "a\nb\nc\n"},
		"addition at a line":      {"a\nb\n", "@@ -1,0 +2,1 @@\n+c", "a\nc\nb\n"},
		"numbers decide":          {"x\na\nx\n", "@@ -3,1 +3,1 @@\n-x\n+y", "x\na\ny\n"},
		"indentation":             {"if x {\n\ty\n}\n", "@@\n-  y\n+  z", "if x {\n\tz\n}\n"},
		"append, no newline":      {"a", "@@\n+b\n*** End of File", "a\nb"},
		"empty file":              {"", "@@\n+a\n+b", "a\nb\n"},
		"delete all":              {"a\nb\n", "@@\n-a\n-b", ""},
		"trailing space in file":  {"a  \nb\t\nc\n", "@@\n a\n-b\n+x", "a  \nx\nc\n"},
		"CRLF":                    {"a\r\nb\r\nc\r\n", "@@\n a\n-b\n+x\n+y\n c", "a\r\nx\r\ny\r\nc\r\n"},
		"CRLF patch of LF file":   {"a\nb\n", "@@\r\n a\r\n-b\r\n+x\r", "a\nx\n"},
		"mixed keeps neighbours":  {"a\nb\r\nc\n", "@@\n a\n-b\n+x\n c", "a\nx\r\nc\n"},
		"byte order mark":         {"\xef\xbb\xbfa\nb\n", "@@\n-a\n+x\n b", "\xef\xbb\xbfx\nb\n"},
		"no final newline":        {"a\nb", "@@\n a\n-b\n+x", "a\nx"},
		"line before the open":    {"a\nb", "@@\n-a\n+x\n b", "x\nb"},
		"\\ No newline":           {"a\nb", "@@\n-b\n\\ No newline at end of file\n+x\n\\ No newline at end of file", "a\nx"},
		"newline removed":         {"a\nb\n", "@@\n a\n-b\n+b\n\\ No newline at end of file\n", "a\nb"},
		"Latin-1 elsewhere":       {"caf\xe9\nb\n", "@@\n-b\n+x", "caf\xe9\nx\n"},
		"empty context line":      {"a\n\nb\n", "@@\n a\n\n-b\n+x", "a\n\nx\n"},
		"blank line before next":  {"a\nb\nc\nd\n", "@@\n-a\n+1\n\n@@\n-c\n+3", "1\nb\n3\nd\n"},
		"blank line that is real": {"a\n\nb\nc\n", "@@\n-a\n+1\n\n b\n@@\n-c\n+3", "1\n\nb\n3\n"},
		"stars in context":        {"*** x\nb\n", "@@\n *** x\n-b\n+c", "*** x\nc\n"},
		"lines that look like it": {"-a\n+b\n@@\n", "@@\n--a\n++c\n +b\n @@", "+c\n+b\n@@\n"},
		"hunks after one another": {"x\nx\n", "@@\n-x\n+1\n x", "1\nx\n"},
	} {
		if got, err := update(t, row.file, row.hunks); err != nil || got != row.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, row.want)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	for name, row := range map[string]struct {
		file, hunks string
		err         error
		says        string
	}{
		"several places":           {goFile, "@@\n-\tstop()\n+\thalt()", ErrAmbiguous, "lines 5 and 10"},
		"ambiguous anchor":         {"def run\n  x\ndef run\n  x\n", "@@ def run\n-  x\n+  y", ErrAmbiguous, "lines 2 and 4"},
		"missing anchor":           {goFile, "@@ func (z Z) Run() {\n-\tstop()\n+\thalt()", ErrNoMatch, "func (y Y) Run() {"},
		"wrong order":              {"a\nb\n", "@@\n-b\n+2\n@@\n-a\n+1", ErrNoMatch, "order from top to bottom"},
		"not at the end":           {"a\nb\n", "@@\n-a\n+1\n*** End of File", ErrNoMatch, "Leave out *** End of File"},
		"behind the anchor":        {"x\nanchor\n", "@@ anchor\n-x\n+y", ErrNoMatch, "the text is at line 1"},
		"a line that is not there": {"a\nb\n", "@@ -9,0 +9,1 @@\n+c", errPlace, "context"},
		"already applied":          {"a\nnew line\nc\n", "@@\n a\n-old line\n+new line\n c", ErrNoMatch, "already at line 2"},
		"only context":             {"a\n", "@@\n a", ErrFormat, "has no line that begins with + or -"},
		"no sign":                  {"a\n", "@@\na\n+b", ErrFormat, "must begin with a space, + or -"},
		"no hunk":                  {"a\n", "", ErrFormat, "no hunk"},
		"other encoding, added":    {"caf\xe9\nb\n", "@@\n-b\n+é", ErrEncoding, "two encodings"},
	} {
		got, err := update(t, row.file, row.hunks)
		if !errors.Is(err, row.err) || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %q, %v; want %v with %q", name, got, err, row.err, row.says)
		}
	}
}

const wholePatch = `*** Begin Patch
*** Add File: new.txt
+one
+
+*** End Patch
*** Update File: a.txt
*** Move to: dir/b.txt
@@ class A
@@  def f
 keep
-old
+new
*** End of File
*** Delete File: gone.txt
*** End Patch`

func TestParseWholePatch(t *testing.T) {
	want := []Section{
		{Action: Add, Path: "new.txt", Content: "one\n\n*** End Patch\n"},
		{Action: Update, Path: "a.txt", MoveTo: "dir/b.txt", Hunks: []Hunk{{
			Anchors: []string{"class A", " def f"}, EndOfFile: true, Line: 8,
			Lines: []HunkLine{{Kind: ' ', Text: "keep"}, {Kind: '-', Text: "old"}, {Kind: '+', Text: "new"}},
		}}},
		{Action: Delete, Path: "gone.txt"},
	}
	for name, body := range map[string]string{
		"bare":          wholePatch,
		"newline":       wholePatch + "\n",
		"fence":         "Here it is:\n```diff\n" + wholePatch + "\n```\nDone.",
		"here-document": "apply_patch <<'EOF'\n" + wholePatch + "\nEOF\n",
		"CRLF":          strings.ReplaceAll(wholePatch, "\n", "\r\n"),
		"padded marks":  " " + wholePatch + " ",
		"blank lines":   strings.ReplaceAll(wholePatch, "*** Delete", "\n*** Delete"),
	} {
		sections, err := parse(body)
		if err != nil || !slices.EqualFunc(sections, want, sameSection) {
			t.Errorf("%s: %v, %+v", name, err, sections)
		}
	}
}

// sameSection compares everything except the line numbers of hunks, because prose before a patch
// moves them.
func sameSection(x, y Section) bool {
	return x.Action == y.Action && x.Path == y.Path && x.MoveTo == y.MoveTo && x.Content == y.Content &&
		slices.EqualFunc(x.Hunks, y.Hunks, func(g, h Hunk) bool {
			return g.EndOfFile == h.EndOfFile && slices.Equal(g.Anchors, h.Anchors) && slices.Equal(g.Lines, h.Lines)
		})
}

func TestPatchCutAnywhereIsRefused(t *testing.T) {
	for cut := range len(wholePatch) {
		if sections, err := parse(wholePatch[:cut]); err == nil {
			t.Fatalf("cut at %d it is taken for %+v", cut, sections)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for body, says := range map[string]string{
		"*** Begin Patch\n*** End Patch":                                   "nothing between",
		"*** Begin Patch\n*** Rename File: a\n*** End Patch":               "is not one of",
		"*** Begin Patch\n*** Add File:\n+a\n*** End Patch":                "names no file",
		"*** Begin Patch\n*** Add File: a\nb\n*** End Patch":               "must begin with +",
		"*** Begin Patch\n*** Add File: a\n+x\n\n+y\n*** End Patch":        "single +",
		"*** Begin Patch\n*** Update File: a\n*** Move to:\n*** End Patch": "names no file",
		"*** Begin Patch\nhello\n*** End Patch":                            "is not one of",
		"*** Begin Patch\n*** Delete File: a\n-x\n*** End Patch":           "is not one of",
		wholePatch + "\n" + wholePatch:                                     "second patch",
		"*** Begin Patch\n*** Delete File: a\n":                            "incomplete",
	} {
		if _, err := parse(body); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v; want %q", body, err, says)
		}
	}
}

// FuzzApply checks that hunks never panic, and change as many lines as they claim.
func FuzzApply(f *testing.F) {
	f.Add([]byte("a\r\nb\nc"), "@@\n a\n-b\n+x")
	f.Add([]byte(goFile), "@@ func (y Y) Run() {\n \tstart()\n-\tstop()\n+\thalt()")
	f.Add([]byte("\xef\xbb\xbfa\n\n\nb\xff\n"), "@@\n+z\n*** End of File")
	f.Fuzz(func(t *testing.T, content []byte, hunks string) {
		sections, err := parse(begin + "\n*** Update File: f\n" + hunks + "\n" + end)
		if err != nil || len(sections) != 1 {
			return
		}
		result, err := Apply(content, sections[0].Hunks)
		if err != nil {
			return
		}
		removed, added := 0, 0
		for _, hunk := range sections[0].Hunks {
			for _, line := range hunk.Lines {
				switch line.Kind {
				case '-':
					removed++
				case '+':
					added++
				}
			}
		}
		before, after := bytes.Count(content, []byte("\n")), bytes.Count(result.Content, []byte("\n"))
		if after != before+added-removed && len(split(result.Content).lines) > 0 {
			t.Fatalf("%d line ends, %d added, %d removed, %d after: %q → %q", before, added, removed, after, content, result.Content)
		}
		if bytes.HasPrefix(content, []byte("\xef\xbb\xbf")) != bytes.HasPrefix(result.Content, []byte("\xef\xbb\xbf")) && !strings.Contains(hunks, "\ufeff") {
			t.Fatalf("byte order mark: %q → %q", content, result.Content)
		}
	})
}
