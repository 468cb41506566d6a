package ollama_test

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/ollama"
)

// The golden file has the request for each kind of message, tool, effort and picture, and the
// result of each answer and refusal.
func TestWireAnswers(t *testing.T) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	goldentest.Transcript(t, "wire.txt", os.Getenv("UPDATE_GOLDEN") != "", modeltest.Wired(t, func(args, address string) (providers.Model, error) {
		config := ollama.Config{Model: "m", URL: address, HTTP: client}
		err := json.Unmarshal([]byte(args), &config)
		return ollama.New(config), err
	}, "Authorization"))
}
