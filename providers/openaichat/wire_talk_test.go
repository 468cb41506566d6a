package openaichat_test

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/openaichat"
)

// The golden file has the request for each kind of message, tool, effort and picture, and the
// result of each answer and refusal.
func TestWireAnswers(t *testing.T) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	goldentest.Transcript(t, "wire.txt", os.Getenv("UPDATE_GOLDEN") != "", modeltest.Wired(t, func(args, address string) (providers.Model, error) {
		config := openaichat.Config{Provider: "openai", Key: "S3cr3tKey1", Model: "m", BaseURL: address, HTTP: client}
		err := json.Unmarshal([]byte(args), &config)
		return openaichat.New(config), err
	}, "Authorization"))
}
