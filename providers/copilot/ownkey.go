package copilot

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	sdk "github.com/github/copilot-sdk/go"
)

// ownKeyVar is the variable that selects the user's own provider instead of GitHub's models.
const ownKeyVar = "COPILOT_PROVIDER_BASE_URL"

// ownKey returns the provider from the COPILOT_PROVIDER_ variables, or nil if none is configured.
// See `copilot help environment` for the variables.
func ownKey(environ []string) (*sdk.ProviderConfig, error) {
	value := func(name string) string { return lookup(environ, "COPILOT_PROVIDER_"+name) }
	if value("BASE_URL") == "" {
		return nil, nil
	}
	if value("API_KEY_COMMAND") != "" {
		return nil, fmt.Errorf("COPILOT_PROVIDER_API_KEY_COMMAND is not supported by Marvin; set COPILOT_PROVIDER_API_KEY instead")
	}
	config := &sdk.ProviderConfig{
		BaseURL: value("BASE_URL"), Type: value("TYPE"), APIKey: value("API_KEY"), BearerToken: value("BEARER_TOKEN"),
		WireAPI: value("WIRE_API"), Transport: value("TRANSPORT"), ModelID: value("MODEL_ID"), WireModel: value("WIRE_MODEL"),
	}
	if version := value("AZURE_API_VERSION"); version != "" {
		config.Azure = &sdk.AzureProviderOptions{APIVersion: version}
	}
	for _, limit := range []struct {
		name string
		to   *int
	}{{"MAX_PROMPT_TOKENS", &config.MaxPromptTokens}, {"MAX_OUTPUT_TOKENS", &config.MaxOutputTokens}} {
		text := value(limit.name)
		if text == "" {
			continue
		}
		number, err := strconv.Atoi(text)
		if err != nil || number <= 0 {
			return nil, fmt.Errorf("COPILOT_PROVIDER_%s=%q is not a number of tokens", limit.name, text)
		}
		*limit.to = number
	}
	var err error
	config.Headers, err = headers(value("HEADERS"))
	return config, err
}

// OwnHost returns the host of the user's own provider, or "" if the CLI uses GitHub.
func OwnHost(environ []string) string {
	address, err := url.Parse(lookup(environ, ownKeyVar))
	if err != nil {
		return lookup(environ, ownKeyVar)
	}
	return address.Host
}

// headers parses "Name: value" lines. A backslash followed by "n" also ends a line.
func headers(text string) (map[string]string, error) {
	named := map[string]string{}
	for line := range strings.Lines(strings.ReplaceAll(text, `\n`, "\n")) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			// The error does not quote the line, which may contain a secret.
			return nil, fmt.Errorf("COPILOT_PROVIDER_HEADERS: a line is not `Name: value`")
		}
		named[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return named, nil
}
