package voice

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence/disktest"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sound returns a WAV file of a tenth of a second: 16 kHz, mono, 16 bit.
func sound() []byte {
	samples := make([]byte, 3200)
	for i := range samples {
		samples[i] = byte(i * 7)
	}
	var wav bytes.Buffer
	wav.WriteString("RIFF")
	_ = binary.Write(&wav, binary.LittleEndian, uint32(36+len(samples)))
	wav.WriteString("WAVEfmt ")
	for _, field := range []any{uint32(16), uint16(1), uint16(1), uint32(16000), uint32(32000), uint16(2), uint16(16)} {
		_ = binary.Write(&wav, binary.LittleEndian, field)
	}
	wav.WriteString("data")
	_ = binary.Write(&wav, binary.LittleEndian, uint32(len(samples)))
	wav.Write(samples)
	return wav.Bytes()
}

// with makes a directory with these programs, and returns an environment that has no other programs
// except the system's. $SOUND is a WAV file.
func with(t *testing.T, scripts map[string]string) []string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sound.wav"), sound(), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, script := range scripts {
		if err := disktest.WriteProgram(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"PATH=" + dir, "SOUND=" + filepath.Join(dir, "sound.wav"), "ARGS=" + filepath.Join(dir, "args"), "MARVIN_PASS_ENV=SOUND,ARGS"}
}

const lastArgument = `for file in "$@"; do :; done; `

func TestRecordsWithTheFirstRecorderThatIsThere(t *testing.T) {
	for name, test := range map[string]struct {
		scripts map[string]string
		args    string // the arguments before or after the name of the file
	}{
		"arecord": {map[string]string{"arecord": lastArgument + `echo "$*" >$ARGS; /bin/cat $SOUND >"$file"`, "rec": "exit 1"}, "-q -t wav -f S16_LE -r 16000 -c 1 -d 1 "},
		"parecord": {map[string]string{"parecord": lastArgument + `echo "$*" >$ARGS
			trap '/bin/cat $SOUND >"$file"; exit 0' TERM
			while :; do /bin/sleep 0.05; done`}, "--file-format=wav --format=s16le --rate=16000 --channels=1 "},
		"rec":    {map[string]string{"rec": `echo "$*" >$ARGS; /bin/cat $SOUND >"$8"`}, "-q -r 16000 -c 1 -b 16 "},
		"ffmpeg": {map[string]string{"ffmpeg": lastArgument + `echo "$*" >$ARGS; /bin/cat $SOUND >"$file"`}, "-nostdin -loglevel error -y "},
	} {
		environ := with(t, test.scripts)
		wav, err := record(t.Context(), environ, 10*time.Millisecond) // rounded up to a second
		args, _ := os.ReadFile(strings.TrimPrefix(environ[2], "ARGS="))
		if err != nil || !bytes.Equal(wav, sound()) || !strings.HasPrefix(string(args), test.args) {
			t.Errorf("%s: %d bytes, %v, called with %s", name, len(wav), err, args)
		}
		if file := strings.Fields(string(args)[len(test.args):]); len(file) > 0 {
			if _, err := os.Stat(filepath.Dir(file[0])); strings.HasPrefix(file[0], "/") && err == nil {
				t.Errorf("%s: the recording is still in %s", name, file[0])
			}
		}
	}
}

func TestRecordersThatFailSayWhy(t *testing.T) {
	if _, err := record(t.Context(), with(t, nil), time.Second); !errors.Is(err, ErrNoRecorder) {
		t.Errorf("no recorder: %v", err)
	}
	for script, want := range map[string]string{
		"echo 'ALSA lib' >&2; echo 'audio open error: No such file' >&2; exit 1": "exit code 1: audio open error: No such file; is there a microphone?",
		"exit 0": "arecord wrote no usable recording",
		lastArgument + `echo 'not a WAV file, but long enough to be taken for one' >"$file"`: "arecord recorded no sound",
		lastArgument + `/usr/bin/head -c 44 $SOUND >"$file"`:                                 "arecord recorded no sound",
	} {
		_, err := record(t.Context(), with(t, map[string]string{"arecord": script}), time.Second)
		toolstest.CheckError(t, err, want)
	}
	byUser := errors.New("the user pressed Ctrl-C")
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := time.AfterFunc(100*time.Millisecond, func() { cancel(byUser) })
	defer stop.Stop()
	if _, err := record(ctx, with(t, map[string]string{"arecord": "exec /bin/sleep 100"}), time.Minute); !errors.Is(err, byUser) {
		t.Errorf("cancelled: %v", err)
	}
}

// groq checks the form like the service and replies with the status and body. The format follows
// https://console.groq.com/docs/speech-to-text; the refusal is quoted in
// github.com/nark/WiredSwift/issues/44.
func groq(t *testing.T, model string, status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		file, header, err := r.FormFile("file")
		if err != nil {
			t.Error(err)
			return
		}
		content, _ := io.ReadAll(file)
		if r.Method != http.MethodPost || r.URL.Path != "/openai/v1/audio/transcriptions" || r.Header.Get("Authorization") != "Bearer gsk_secret" ||
			header.Filename != "voice.wav" || !bytes.Equal(content, sound()) || r.FormValue("model") != model || r.FormValue("response_format") != "json" {
			t.Errorf("%s %s %v, %s with %d bytes", r.Method, r.URL, r.Form, header.Filename, len(content))
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestTranscription(t *testing.T) {
	for _, test := range []struct {
		model, asked string
		status       int
		body         string
		want, fails  string
	}{
		{"", "whisper-large-v3", 200, `{"text":" What is the weather?\n","x_groq":{"id":"req_01"}}`, "What is the weather?", ""},
		{"whisper-large-v3-turbo", "whisper-large-v3-turbo", 200, `{"text":""}`, "", ""},
		{"", "whisper-large-v3", 200, `{}`, "", "returned no text"},
		{"", "whisper-large-v3", 401, `{"error":{"message":"Invalid API Key","type":"invalid_request_error","code":"invalid_api_key"}}`, "", "the GROQ_API_KEY was rejected"},
	} {
		client := toolstest.Client(t, map[string]http.HandlerFunc{"api.groq.com": groq(t, test.asked, test.status, test.body)})
		got, err := transcribe(t.Context(), client, "gsk_secret", test.model, sound())
		if test.fails != "" {
			toolstest.CheckError(t, err, test.fails)
		} else if err != nil || got != test.want {
			t.Errorf("%+v: %q, %v", test, got, err)
		}
	}
	toolstest.CheckFaults(t, "api.groq.com", func(client *http.Client) (string, error) {
		return transcribe(t.Context(), client, "gsk_secret", "", sound())
	})
}

func TestListenNeedsAKeyBeforeItRecords(t *testing.T) {
	environ := with(t, map[string]string{"arecord": lastArgument + `: >$ARGS; /bin/cat $SOUND >"$file"`})
	client := toolstest.Client(t, map[string]http.HandlerFunc{"api.groq.com": groq(t, "m", 200, `{"text":"hello"}`)})
	if _, err := Listen(t.Context(), client, environ, "", time.Second); !errors.Is(err, ErrNoKey) {
		t.Error(err)
	}
	if _, err := os.Stat(strings.TrimPrefix(environ[2], "ARGS=")); err == nil {
		t.Error("it recorded for nothing")
	}
	got, err := Listen(t.Context(), client, append(environ, "GROQ_API_KEY=gsk_secret", "WHISPER_MODEL=m"), "", time.Second)
	if err != nil || got != "hello" {
		t.Errorf("%q, %v", got, err)
	}
}
