package shell

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// onePixel is a GIF picture in base64.
const onePixel = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

// An output that is not text is stored once per content. The result describes it and says where it
// is; read_file shows it if it is a picture.
func TestBinaryOutputIsKeptOnce(t *testing.T) {
	env := keeping(t)
	for range 2 {
		shown, err := do(t, env, "run_command", `{"command":"echo `+onePixel+` | base64 -d"}`)
		want := "[image/gif, 42 bytes: artifact:1; read_file shows pictures and documents; in commands, use the path " + filepath.Join(env.Artifacts.Dir(), "1.gif") + "]\n[exit code: 0"
		if err != nil || !strings.HasPrefix(shown.Text, want) {
			t.Fatalf("%q, %v, want %q", shown.Text, err, want)
		}
	}
	picture, err := base64.StdEncoding.DecodeString(onePixel)
	if kept, readErr := os.ReadFile(filepath.Join(env.Artifacts.Dir(), "1.gif")); err != nil || readErr != nil || string(kept) != string(picture) {
		t.Errorf("%q, %v", kept, readErr)
	}
	read, err := do(t, env, "read_file", `{"path":"artifact:1"}`)
	if err != nil || len(read.Pictures) != 1 || string(read.Pictures[0].Data) != string(picture) {
		t.Errorf("%+v, %v", read, err)
	}
	// The output is longer than the buffer, comes from a pipe, and has no line ends.
	for range 2 {
		shown, err := do(t, env, "run_command", `{"command":"seq 300000 | gzip -n"}`)
		if err != nil || !strings.HasPrefix(shown.Text, "[application/x-gzip, ") || strings.Count(shown.Text, "artifact:") != 1 {
			t.Errorf("%.300q, %v", shown.Text, err)
		}
	}
	if all := env.Artifacts.List(); len(all) != 2 {
		t.Errorf("%+v", all)
	}
}

func TestPartlyBinaryOutputIsNoPicture(t *testing.T) {
	env := keeping(t)
	for command, want := range map[string]string{
		`printf 'a\\0b\\0c\\0'`: "a␀b␀c␀\n",
		`echo text; echo ` + onePixel + ` | base64 -d; echo more text, and much of it, so that it is text; echo more text, and much of it`: "text\n",
		`echo ` + onePixel + ` | base64 -d; echo failed >&2`:                                                                               "[binary data, ",
		`head -c 30000 /dev/zero; seq -f 'binary that turns into text, line %06.0f' 4000`:                                                  "[binary data, ",
	} {
		shown, err := do(t, env, "run_command", `{"command":"`+command+`"}`)
		if err != nil || !strings.HasPrefix(shown.Text, want) || strings.Contains(shown.Text, "image/gif") {
			t.Errorf("%s: %.300q, %v", command, shown.Text, err)
		}
		if strings.Contains(command, "turns") && !strings.Contains(shown.Text, "line 004000") && !strings.Contains(shown.Text, "artifact:") {
			t.Errorf("the text behind is lost: %.300q", shown.Text)
		}
	}
}
