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

// What is sent for each kind of message, tool, effort and picture, and what each answer and refusal of
// a server comes to.
func TestWireAnswers(t *testing.T) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	goldentest.Transcript(t, "wire.txt", os.Getenv("UPDATE_GOLDEN") != "", modeltest.Wired(t, func(args, address string) (providers.Model, error) {
		config := openaichat.Config{Provider: "openai", Key: "S3cr3tKey1", Model: "m", BaseURL: address, HTTP: client}
		err := json.Unmarshal([]byte(args), &config)
		return openaichat.New(config), err
	}, "Authorization"))
}
