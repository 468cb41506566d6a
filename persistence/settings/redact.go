package settings

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/goccy/go-yaml"

	"marvin/persistence/internal/yamltext"
)

// secretKeys matches keys whose values are probably secret.
var secretKeys = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)key|token|secret|passw|auth|cookie|credential|bearer`)
})

// WithoutSecrets returns the content of a configuration file without comments. It replaces the value
// of each key whose name contains a word such as "token".
func WithoutSecrets(content []byte) ([]byte, error) {
	document, err := yamltext.Read(string(content))
	if err != nil || len(document.Plain) == 0 {
		return nil, err
	}
	return yaml.Marshal(redacted(document.Plain))
}

func redacted(value any) any {
	switch value := value.(type) {
	case yaml.MapSlice:
		for i, item := range value {
			if item.Value != nil && secretKeys().MatchString(fmt.Sprint(item.Key)) {
				value[i].Value = "[removed]"
			} else {
				value[i].Value = redacted(item.Value)
			}
		}
	case []any:
		for i := range value {
			value[i] = redacted(value[i])
		}
	}
	return value
}
