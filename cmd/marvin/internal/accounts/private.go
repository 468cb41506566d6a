package accounts

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli"
	"marvin/messages/lists"
	"marvin/persistence/settings"
	"marvin/tools"
)

// PrivateRules returns the rules that restrict directories to certain providers. It returns an
// error for an unknown provider.
func PrivateRules(world cli.World, config settings.Config) (rules []actors.PrivateRule, err error) {
	if len(config.Private) == 0 {
		return nil, nil
	}
	all, err := New(world, config)
	if err != nil {
		return nil, fmt.Errorf("private: %w", err)
	}
	for _, bound := range config.Private {
		dir := bound.Dir
		if rest, home := strings.CutPrefix(dir, "~/"); home {
			if world.Home == "" {
				return nil, errors.New("\"private:\" in config.yaml names " + dir + ", but there is no home directory; write the full path")
			}
			dir = filepath.Join(world.Home, rest)
		}
		rule := actors.PrivateRule{Dir: tools.ResolveLinks(dir), Said: bound.Dir}
		for _, name := range bound.To {
			if name == settings.Local {
				rule.To = append(rule.To, all.Wishes("", "").LocalProviders()...)
				continue
			}
			provider, err := all.Pool.Lookup(name)
			if err != nil {
				return nil, fmt.Errorf("\"private:\" in config.yaml, %s: %w; the value can also be \"local\" (models on this machine) or [] (no model)", bound.Dir, err)
			}
			rule.To = append(rule.To, provider.Name)
		}
		slices.Sort(rule.To)
		rule.To = slices.Compact(rule.To)
		rule.Is, _ = os.Stat(rule.Dir) // nil if the directory does not exist yet, for example before a drive is mounted
		rules = append(rules, rule)
		for _, name := range tools.OtherNames(rule.Dir) {
			other := rule
			other.Dir, other.Is = name, nil
			rules = append(rules, other)
		}
	}
	return rules, nil
}

// PrivateDirs returns the directory of each rule.
func PrivateDirs(rules []actors.PrivateRule) []string {
	return lists.Map(rules, func(rule actors.PrivateRule) string { return rule.Dir })
}
