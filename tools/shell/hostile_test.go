package shell

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// A line of 50 MB is stored and counted. The lines around it can be read and searched, and the line
// itself is cut like any long line.
func TestALineOfFiftyMegabytesIsKeptAndPassedOver(t *testing.T) {
	env := keeping(t)
	const endless = `head -c 50000000 /dev/zero | tr '\\0' x`
	shown, err := do(t, env, "run_command", `{"command":"echo in front; `+endless+`; echo; echo NEEDLE behind"}`)
	if want := "in front\n[… 1 lines (50000001 bytes) left out …]\nNEEDLE behind\n[all 3 lines (50000024 bytes) are stored as artifact:1: read_file {\"path\": \"artifact:1\", \"start_line\": 2} "; err != nil || !strings.HasPrefix(shown.Text, want) {
		t.Errorf("%.400q, %v", shown.Text, err)
	}
	shown, err = do(t, env, "run_command", `{"command":"`+endless+`"}`)
	if err != nil || len(shown.Text) > 5000 || !strings.Contains(shown.Text, "[… 49996000 more bytes on this line]\n[all 1 lines (50000000 bytes) are stored as artifact:2: ") {
		t.Errorf("%d bytes: %.400q, %v", len(shown.Text), shown.Text, err)
	}
	for path, want := range map[string]string{
		"artifact:1":     "1. in front\n2. xxx",
		"artifact:1:2-3": "2. xxx",
		"artifact:1:3":   "3. NEEDLE behind\n",
		"artifact:1:3-":  "3. NEEDLE behind\n",
		"artifact:2":     "1. xxx",
	} {
		read, err := do(t, env, "read_file", `{"path":"`+path+`"}`)
		if err != nil || len(read.Text) > 4000 || !strings.HasPrefix(read.Text, want) || strings.Contains(path, "1:2") && !strings.Contains(read.Text, " more bytes on this line]\n3. NEEDLE behind\n") {
			t.Errorf("%s: %d bytes: %.200q, %v", path, len(read.Text), read.Text, err)
		}
	}
	found, err := do(t, env, "code_grep", `{"path":"artifact:1","pattern":"NEEDLE|front|xxx"}`)
	if err != nil || len(found.Text) > 1000 || !strings.Contains(found.Text, "1  in front\n") || !strings.Contains(found.Text, "[… long line]\n") || !strings.Contains(found.Text, "3  NEEDLE behind\n") {
		t.Errorf("%d bytes: %.600q, %v", len(found.Text), found.Text, err)
	}
}

// For a line number beyond the end, the result shows the last lines.
func TestALineFarBehindTheEndIsAnsweredWithTheEnd(t *testing.T) {
	env := keeping(t)
	if _, err := do(t, env, "run_command", `{"command":"seq -f 'a line of which there are so many that they need much room, %06.0f' 300000"}`); err != nil { // more than the part held in memory
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		`"artifact:1:1000000000"`:              "artifact:1 has only 300000 lines, so there is no line 1000000000\nIts end: read_file {\"path\": \"artifact:1\", \"start_line\": 299951, \"end_line\": 300000}",
		`"artifact:1:1000000000-2000000000"`:   "has only 300000 lines, so there is no line 1000000000\n",
		`"artifact:1","start_line":1000000000`: "has only 300000 lines, so there is no line 1000000000\n",
		`"artifact:1:99999999999999999999"`:    "has only 300000 lines, ",
		`"artifact:1:5-2"`:                     "end_line 2 is before start_line 5",
		`"artifact:1000000000"`:                "there is no such artifact in this conversation\nThere are: artifact:1 (run_command, 300000 lines).",
		`"artifact:99999999999999999999"`:      "is not an artifact number",
	} {
		_, err := do(t, env, "read_file", `{"path":`+args+`}`)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	last, err := do(t, env, "read_file", `{"path":"artifact:1:299999-1000000000"}`)
	if err != nil || !strings.HasPrefix(last.Text, "299999. a line of") || !strings.HasSuffix(last.Text, " 300000\n[the file ends here, with line 300000]\n") {
		t.Errorf("%q, %v", last.Text, err)
	}
}

func TestTheFolderOfArtifactsIsRemovedUnderACommand(t *testing.T) {
	env := keeping(t)
	if _, err := do(t, env, "run_command", `{"command":"seq 100000"}`); err != nil {
		t.Fatal(err)
	}
	// The first part is larger than a pipe, so it has been read before the directory is removed.
	shown, err := do(t, env, "run_command", `{"command":"seq 100000; mv '`+env.Artifacts.Dir()+`' '`+filepath.Join(t.TempDir(), "away")+`'; seq 100000"}`)
	if err != nil || strings.Contains(shown.Text, "artifact:") || !strings.Contains(shown.Text, " bytes) left out …]\n") || !strings.Contains(shown.Text, "\n100000\n[exit code: 0") {
		t.Errorf("%.300q, %v", shown.Text[max(0, len(shown.Text)-300):], err)
	}
	if _, err := do(t, env, "read_file", `{"path":"artifact:1"}`); err == nil || !strings.Contains(err.Error(), "no longer stored") || !strings.Contains(err.Error(), "\nRun the call that produced it again") {
		t.Errorf("%v", err)
	}
	again, err := do(t, env, "run_command", `{"command":"seq 100000"}`)
	if err != nil || !strings.Contains(again.Text, " are stored as artifact:3: ") {
		t.Errorf("%.300q, %v", again.Text[max(0, len(again.Text)-300):], err)
	}
	if read, err := do(t, env, "read_file", `{"path":"artifact:3:99999"}`); err != nil || read.Text != "99999. 99999\n" {
		t.Errorf("%q, %v", read.Text, err)
	}
}

// heap is a writer that measures the heap from time to time, in bytes.
type heap struct {
	*tools.Spool
	came, looked int
	most         uint64
}

func (h *heap) Write(p []byte) (int, error) {
	if h.came += len(p); h.came-h.looked > 20<<20 {
		h.looked, h.most = h.came, max(h.most, held())
	}
	return h.Spool.Write(p)
}

func held() uint64 {
	runtime.GC()
	runtime.GC() // the first collection does not free the content of pools
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func TestAnOutputWithoutEndTakesLittleMemory(t *testing.T) {
	if _, err := do(t, keeping(t), "run_command", `{"command":"seq 100000"}`); err != nil { // everything that is created once now exists
		t.Fatal(err)
	}
	env := keeping(t)
	env.Artifacts.List() // earlier artifacts are read only once
	spool := &heap{Spool: env.NewSpool("run_command", "yes")}
	before := held()
	result, err := proc.Run(t.Context(), proc.Command{Shell: "yes | head -c 300000000", Dir: env.Dir, Environ: env.Environ, Combined: spool})
	text := report(result, 0, &outputSink{spool: spool.Spool})
	kept := env.Artifacts.List()
	if err != nil || len(kept) != 1 || kept[0].Size > 64<<20 || kept[0].Size < 63<<20 || kept[0].Total != 300_000_000 {
		t.Fatalf("%+v, %v", kept, err)
	}
	if want := fmt.Sprintf("[the first %d lines (%d of 300000000 bytes) are stored as artifact:1: ", kept[0].Lines, kept[0].Size); !strings.Contains(text, want) {
		t.Errorf("no %q in %.400q", want, text[max(0, len(text)-400):])
	}
	most := spool.most - min(before, spool.most)
	t.Logf("%d KiB in memory, %d KiB on the disk", most>>10, kept[0].Size>>10)
	if most == 0 || most > 256<<10 {
		t.Errorf("%d bytes in memory", most)
	}
}
