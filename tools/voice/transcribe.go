package voice

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"marvin/tools/internal/keys"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/web"
)

// transcribeURL is documented at https://console.groq.com/docs/speech-to-text
const (
	transcribeURL  = "https://api.groq.com/openai/v1/audio/transcriptions"
	transcribeTime = 30 * time.Second
	maxText        = 1 << 20
)

// ErrNoKey means that the key for the transcription service is missing.
var ErrNoKey = errors.New("GROQ_API_KEY is not set, and ~/.ssh/GROQ_API_KEY does not exist; you can get a free key at https://console.groq.com/keys")

// CheckReady returns an error if the key or a recorder is missing.
func CheckReady(environ []string, home string) error {
	if keys.Find(environ, home, "GROQ_API_KEY") == "" {
		return ErrNoKey
	}
	for _, with := range recorders("1", "") {
		if _, err := proc.Find(with.name, environ); err == nil {
			return nil
		}
	}
	return ErrNoRecorder
}

// Listen records for the given duration and returns the spoken text, or "" if nothing was said. If
// the key or a recorder is missing, Listen fails before it records. $WHISPER_MODEL selects the
// model.
func Listen(ctx context.Context, client *http.Client, environ []string, home string, duration time.Duration) (string, error) {
	if err := CheckReady(environ, home); err != nil {
		return "", err
	}
	key := keys.Find(environ, home, "GROQ_API_KEY")
	wav, err := record(ctx, environ, duration)
	if err != nil {
		return "", err
	}
	return transcribe(ctx, client, key, proc.Lookup(environ, "WHISPER_MODEL"), wav)
}

// transcribe converts the speech in a WAV file to text. The default model is whisper-large-v3.
func transcribe(ctx context.Context, client *http.Client, key, model string, wav []byte) (string, error) {
	if key == "" {
		return "", ErrNoKey
	}
	ctx, cancel := context.WithTimeoutCause(ctx, transcribeTime, errors.New("it took longer than "+transcribeTime.String()))
	defer cancel()
	body, kind, err := form(cmp.Or(model, "whisper-large-v3"), wav)
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, transcribeURL, body)
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", kind)
	var answer struct {
		Text *string `json:"text"`
	}
	err = web.AskJSON(client, request, maxText, &answer)
	switch {
	case web.HasStatus(err, http.StatusUnauthorized):
		return "", errors.New("the GROQ_API_KEY was rejected; make a new one at https://console.groq.com/keys")
	case err != nil:
		return "", fmt.Errorf("transcribe: %w", err)
	case answer.Text == nil:
		return "", errors.New("transcribe: api.groq.com returned no text; try again later")
	}
	return strings.TrimSpace(*answer.Text), nil
}

func form(model string, wav []byte) (body *bytes.Buffer, kind string, err error) {
	body = &bytes.Buffer{}
	writer := multipart.NewWriter(body)
	file, err := writer.CreateFormFile("file", "voice.wav")
	if err == nil {
		_, err = file.Write(wav)
	}
	return body, writer.FormDataContentType(), errors.Join(err,
		writer.WriteField("model", model), writer.WriteField("response_format", "json"), writer.Close())
}
