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

// What is sent for each kind of message, tool, effort and picture, and what each answer and refusal of
// a server comes to.
func TestWireAnswers(t *testing.T) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	goldentest.Transcript(t, "wire.txt", os.Getenv("UPDATE_GOLDEN") != "", modeltest.Wired(t, func(args, address string) (providers.Model, error) {
		config := ollama.Config{Model: "m", URL: address, HTTP: client}
		err := json.Unmarshal([]byte(args), &config)
		return ollama.New(config), err
	}, "Authorization"))
}
