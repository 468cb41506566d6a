package sessions

import (
	"cmp"
	"os"
	"strings"
	"time"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/sessions"
	"marvin/ui/termsafe"
)

// SessionNames completes typed text to the names of conversations, or to their IDs if byName is
// false. Each completion begins with prefix.
func SessionNames(prefix, typed string, byName bool) (list []flags.Completion) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	kept, err := sessions.New(cli.OpenHome(cli.World{Home: home, Getenv: os.Getenv, Now: time.Now})).List()
	if err != nil && len(kept) == 0 {
		return nil
	}
	for _, info := range kept {
		word, about := info.ID, cmp.Or(info.Name, info.DisplayName())
		if byName {
			word, about = info.Name, info.DisplayName()
		}
		if word != "" && strings.HasPrefix(word, typed) && len(list) < mostKept {
			list = append(list, flags.Completion{Item: prefix + word, Description: termsafe.Line(about)})
		}
	}
	return list
}

// mostKept is the maximum number of conversations in a completion. The most recently used ones come
// first.
const mostKept = 20
