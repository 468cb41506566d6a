package files

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/toolstest"
)

// packed is an archive with these members.
func packed(t *testing.T, members ...[2]string) string {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, one := range members {
		file, err := archive.Create(one[0])
		if err == nil {
			_, err = file.Write([]byte(one[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestReadAddressesAndLimits(t *testing.T) {
	five := "one\ntwo\nthree\nfour\nfive\n"
	book := `{"cells":[{"cell_type":"code","source":["a\n","b\n"],"execution_count":3,"outputs":[{"output_type":"stream","text":["x\n"]},{"data":{"text/plain":"p","image/png":"QUFBQQ=="}},{"data":{"text/html":"h"}},{"ename":"E","evalue":"v"},{"text":"\n"}]},{"cell_type":"markdown","source":"# T"}]}`
	large := strings.Repeat(strings.Repeat("0123456789abcdef", 64)+"\n", box.MaxEdit/1025+1)
	p := newProject(t, map[string]string{
		"x.zip":   packed(t, [2]string{"five.txt", five}, [2]string{"empty.txt", ""}, [2]string{"blob", "\x00\x01\x02\x03"}, [2]string{"n.ipynb", book}, [2]string{"most.txt", large[:box.MaxEdit]}, [2]string{"no-end.txt", "a\nb"}),
		"n.ipynb": book, "no.ipynb": `{"cells":null}`, "none.ipynb": `{"cells":[]}`, "not.ipynb": `[1]`, "empty.ipynb": "", "N.IPYNB": `{"cells":[{"cell_type":"raw","source":"","outputs":[{"data":{}}]}]}`, "n.json": book,
		"at.txt": strings.Repeat("x", wholeLimit-1) + "\n", "over.txt": strings.Repeat("x\n", wholeLimit/2) + "y", "most.txt": large[:box.MaxEdit],
		"small.txt": "a\nb", "latin.txt": "caf\xe9\n", "empty.txt": "", "five.txt": five, "long.txt": strings.Repeat("z", 5000) + "\nend\n", "late.txt": strings.Repeat("a\n", 600) + "\x00",
		"x.7z": "7z\xbc\xaf\x27\x1c\x00\x00", "-x.rar": "Rar!\x1a\x07\x00", "it's.tar.xz": "\xfd7zXZ\x00\x00", "a.zst": "\x28\xb5\x2f\xfd\x00", "a.tzst": "\x28\xb5\x2f\xfd\x00", "a.ar": "!<arch>\n\x00", "a.bin": "\x7fELF\x00\x00",
	})
	p.env.Manual = fstest.MapFS{"guide.md": {Data: []byte(five)}}
	var out strings.Builder
	for _, args := range []string{
		`{"path":"x.zip!/five.txt"}`, `{"path":"x.zip!/five.txt","start_line":2}`, `{"path":"x.zip!/five.txt","end_line":2}`, `{"path":"x.zip!/five.txt","start_line":2,"end_line":3}`, `{"path":"x.zip!/five.txt","start_line":9}`,
		`{"path":"x.zip!/empty.txt"}`, `{"path":"x.zip!/empty.txt","start_line":1}`, `{"path":"x.zip!/blob"}`, `{"path":"x.zip!/n.ipynb"}`, `{"path":"x.zip!/no-end.txt"}`, `{"path":"x.zip!/most.txt"}`, `{"path":"x.zip!/gone"}`, `{"path":"none.zip!/a"}`,
		`{"path":"doc:guide"}`, `{"path":"doc:guide:2"}`, `{"path":"doc:guide:2-3"}`, `{"path":"doc:guide:4-"}`, `{"path":"doc:guide:2","start_line":3}`, `{"path":"doc:guide:2","end_line":1}`, `{"path":"doc:none"}`,
		`{"path":"n.ipynb"}`, `{"path":"n.ipynb","start_line":1}`, `{"path":"no.ipynb"}`, `{"path":"none.ipynb"}`, `{"path":"not.ipynb"}`, `{"path":"empty.ipynb"}`, `{"path":"N.IPYNB"}`, `{"path":"n.json"}`,
		`{"path":"at.txt"}`, `{"path":"over.txt"}`, `{"path":"most.txt"}`, `{"path":"small.txt"}`, `{"path":"small.txt","end_line":9}`, `{"path":"latin.txt"}`, `{"path":"empty.txt","end_line":3}`, `{"path":"empty.txt"}`, `{"path":"five.txt","start_line":6}`, `{"path":"five.txt","start_line":5,"end_line":5}`, `{"path":"five.txt","start_line":5,"end_line":6}`, `{"path":"long.txt"}`, `{"path":"long.txt","start_line":1}`, `{"path":"late.txt"}`, `{"path":"late.txt","start_line":2}`,
		`{"path":"x.7z"}`, `{"path":"-x.rar"}`, `{"path":"it's.tar.xz"}`, `{"path":"a.zst"}`, `{"path":"a.tzst"}`, `{"path":"a.ar"}`, `{"path":"a.bin"}`,
		`{"path":"five.txt","offset":2,"limit":2}`, `{"path":"five.txt","limit":"2"}`, `{"path":"five.txt","offset":0,"limit":1}`, `{"path":"five.txt","limit":0}`, `{"path":"five.txt","end_line":1,"limit":4}`,
	} {
		shown, err := p.run("read_file", args)
		text := shown.Text
		if len(text) > 700 {
			text = fmt.Sprintf("%s … %d bytes … %s", text[:60], len(text), text[len(text)-200:])
		}
		fmt.Fprintf(&out, "%s: %q, summary %q, %d pictures, of strangers %t, %v\n", args, text, shown.Summary, len(shown.Pictures), shown.Strangers, err)
		toolstest.NothingOpen(t, p.dir, args)
	}
	for _, args := range []string{`{"path":"a"}`, `{"path":"x.zip!/a"}`, `{"path":"doc:a"}`, `{"path":"/etc/passwd"}`} {
		call, err := readTool().Decode(json.RawMessage(args))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "places of %s: %v\n", args, call.Places(p.env))
	}
	goldentest.Assert(t, "shown.golden", strings.ReplaceAll(out.String(), p.dir, "DIR"), os.Getenv("UPDATE_GOLDEN") != "")
}

func TestWriteErrors(t *testing.T) {
	var out strings.Builder
	for _, row := range [][2]string{
		{"create_file", `{"path":"new/a.txt","content":"a\n"}`},
		{"create_file", `{"path":"a.txt/b","content":"b"}`},
		{"create_file", `{"path":"a.txt","content":"one\ntwo\n"}`},
		{"create_file", `{"path":"a.txt","content":"other"}`},
		{"create_file", `{"path":"../a","content":"x"}`},
		{"create_file", `{"path":"dir","content":"x"}`},
		{"create_file", `{"path":"e","content":""}`},
		{"create_file", `{"path":"link","content":"x"}`},
		{"append_file", `{"path":"a.txt","content":"more"}`},
		{"append_file", `{"path":"half.txt","content":"more"}`},
		{"append_file", `{"path":"half.txt","content":"\nmore"}`},
		{"append_file", `{"path":"half.txt","content":""}`},
		{"append_file", `{"path":"none","content":"x"}`},
		{"append_file", `{"path":"dir","content":"x"}`},
		{"append_file", `{"path":"blob","content":"x"}`},
		{"append_file", `{"path":"link","content":"x"}`},
		{"apply_patch", `{"path":"a.txt","old_str":"two","new_str":"2"}`},
		{"apply_patch", `{"path":"a.txt","old_str":"none","new_str":"2"}`},
		{"apply_patch", `{"path":"blob","old_str":"x","new_str":"2"}`},
		{"apply_patch", `{"path":"none","old_str":"x","new_str":"2"}`},
		{"apply_patch", `{"path":"dir","old_str":"x","new_str":"2"}`},
		{"apply_patch", `{"path":"a.txt","old_str":"one","new_str":"one"}`},
		{"apply_patch", `{"path":"link","old_str":"x","new_str":"2"}`},
		{"apply_patch", `{"path":"a.txt","edits":[{"old_str":"one","new_str":"1"},{"old_str":"none","new_str":"2"}]}`},
		{"apply_patch", `{"path":"twice.txt","old_str":"x","new_str":"y","replace_all":true}`},
		{"apply_patch", `{"path":"twice.txt","edits":[{"old_str":"b","new_str":"B"},{"old_str":"a","new_str":"A"}]}`},
		{"apply_patch", `{"path":"a.txt"}`},
		{"apply_patch", `{"path":"a.txt","old_str":"a","patch":"x"}`},
		{"apply_patch", `{"patch":"*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch"}`},
		{"apply_patch", `{"patch":"*** Begin Patch\n*** Delete File: none\n*** End Patch"}`},
		{"apply_patch", `{"patch":"*** Begin Patch\n*** Delete File: dir\n*** End Patch"}`},
		{"apply_patch", `{"patch":"*** Begin Patch\n*** Update File: a.txt\n*** Move to: half.txt\n*** End Patch"}`},
		{"apply_patch", `{"patch":"*** Begin Patch\n*** Update File: none\n*** Move to: x\n*** End Patch"}`},
		{"apply_patch", `{"patch":"*** Begin Patch\n*** Update File: a.txt\n*** Move to: m/b.txt\n@@\n-two\n+2\n*** End Patch"}`},
		{"apply_patch", `{"patch":"*** Begin Patch\n*** Update File: none\n@@\n-two\n+2\n*** End Patch"}`},
		{"apply_patch", `{"patch":"*** Begin Patch\n*** Update File: blob\n@@\n-two\n+2\n*** End Patch"}`},
		{"apply_patch", `{"patch":"--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n"}`},
		{"apply_patch", `{"patch":"--- a/a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n"}`},
		{"apply_patch", `{"patch":"--- a/none\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n"}`},
		{"apply_patch", `{"patch":"--- a/blob\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n"}`},
		{"apply_patch", `{"patch":"--- a/a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-none\n"}`},
	} {
		p := newProject(t, map[string]string{"a.txt": "one\ntwo\n", "half.txt": "half", "dir/x": "", "blob": "\x00\x01", "twice.txt": "x a\nx b\n"})
		if err := os.Symlink("/etc/passwd", p.dir+"/link"); err != nil {
			t.Fatal(err)
		}
		shown := ""
		for _, tool := range Tools() {
			if call, err := tool.Decode(json.RawMessage(row[1])); tool.Name == row[0] && err == nil {
				shown = call.Change(p.env)
				toolstest.NothingOpen(t, p.dir, "to show "+row[1])
				without := p.env
				without.Dir = ""
				if _, err := call.Run(t.Context(), without); err == nil || call.Change(without) != "" {
					t.Errorf("%v without a directory: %v", row, err)
				}
			}
		}
		said, err := p.run(row[0], row[1])
		view := ""
		if said.View != nil {
			view = said.View.Text
		}
		fmt.Fprintf(&out, "%s %s: %q %s\n", row[0], row[1], said.Text, strings.ReplaceAll(fmt.Sprint(err), p.dir, "DIR"))
		if view != shown || err != nil {
			fmt.Fprintf(&out, "  view %q, shown before %q\n", view, shown)
		}
		toolstest.NothingOpen(t, p.dir, row[1])
		var env tools.Env
		env.Dir = p.dir
		files, failed := toolstest.Local(t, p.dir, nil, &env)("files", "")
		fmt.Fprintf(&out, "  %s %v\n", strings.ReplaceAll(strings.TrimSpace(files), "\n", ", "), failed)
	}
	goldentest.Assert(t, "unwritten.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
