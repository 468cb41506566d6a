package voice

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"marvin/tools/internal/proc"
)

// ErrNoRecorder means that no recording program is on PATH.
var ErrNoRecorder = errors.New("no recorder was found; install one of arecord (alsa-utils), parecord (pulseaudio-utils), rec (sox) or ffmpeg")

const (
	longest  = 120 * time.Second
	patience = 10 * time.Second // extra time for a recorder to start and to write its file
	maxWAV   = 25 << 20         // bytes, the transcription service's limit
)

// errTime is the cancellation cause when the recording time of an endless recorder is over.
var errTime = errors.New("the recording time is over")

// recorder is a recording program. Its arguments request a mono WAV file at 16 kHz.
type recorder struct {
	name    string
	args    []string
	endless bool // whether the recorder needs a TERM signal to stop
}

func recorders(seconds, file string) []recorder {
	input := []string{"-f", "pulse", "-i", "default"}
	if runtime.GOOS == "darwin" {
		input = []string{"-f", "avfoundation", "-i", ":0"}
	}
	return []recorder{
		{name: "arecord", args: []string{"-q", "-t", "wav", "-f", "S16_LE", "-r", "16000", "-c", "1", "-d", seconds, file}},
		{name: "parecord", args: []string{"--file-format=wav", "--format=s16le", "--rate=16000", "--channels=1", file}, endless: true},
		{name: "rec", args: []string{"-q", "-r", "16000", "-c", "1", "-b", "16", file, "trim", "0", seconds}},
		{name: "ffmpeg", args: append(append([]string{"-nostdin", "-loglevel", "error", "-y"}, input...), "-t", seconds, "-ar", "16000", "-ac", "1", file)},
	}
}

// record captures sound with the first installed recorder and returns the WAV file. It rounds
// duration to whole seconds, with a minimum of 1 and a maximum of 120. environ is Marvin's
// environment.
func record(ctx context.Context, environ []string, duration time.Duration) ([]byte, error) {
	duration = min(max(duration.Round(time.Second), time.Second), longest)
	dir, err := os.MkdirTemp("", "marvin-voice-") // creates the directory with mode 0700
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "voice.wav")
	for _, with := range recorders(strconv.Itoa(int(duration.Seconds())), file) {
		err = with.record(ctx, environ, dir, duration)
		if errors.Is(err, proc.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return load(file, with.name)
	}
	return nil, ErrNoRecorder
}

func (r recorder) record(ctx context.Context, environ []string, dir string, duration time.Duration) error {
	limit, cause := duration+patience, fmt.Errorf("%s did not stop by itself", r.name)
	if r.endless {
		limit, cause = duration, errTime
	}
	limited, cancel := context.WithTimeoutCause(ctx, limit, cause)
	defer cancel()
	result, err := proc.Run(limited, proc.Command{Name: r.name, Args: r.args, Dir: dir, Environ: environ})
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("recording ended: %w", context.Cause(ctx))
	case errors.Is(err, errTime):
		return nil
	case err != nil:
		return fmt.Errorf("record with %s: %w", r.name, err)
	case result.ExitCode != 0:
		return fmt.Errorf("record with %s: exit code %d: %s; is there a microphone?", r.name, result.ExitCode, lastLine(result.Stderr.Bytes))
	}
	return nil
}

// load returns the recording. The recording must be a WAV file that contains sound data.
func load(path, recorder string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxWAV {
		return nil, fmt.Errorf("%s wrote no usable recording; is there a microphone?", recorder)
	}
	wav, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the recording: %w", err)
	}
	const header = 44
	if len(wav) <= header || !bytes.HasPrefix(wav, []byte("RIFF")) || string(wav[8:12]) != "WAVE" {
		return nil, fmt.Errorf("%s recorded no sound; is a microphone connected?", recorder)
	}
	return wav, nil
}

func lastLine(output []byte) string {
	output = bytes.TrimSpace(output)
	output = output[bytes.LastIndexByte(output, '\n')+1:]
	return string(bytes.ToValidUTF8(output[:min(len(output), 300)], nil))
}
