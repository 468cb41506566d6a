package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestWithheldVariableIsNamedOnUse(t *testing.T) {
	env := newEnv(t)
	env.Environ = append(slices.Clone(env.Environ), "DEPLOY_TOKEN=canary", "SHOP_DATABASE=canary", "SHOP=canary", "GIVEN=canary", "MARVIN_PASS_ENV=GIVEN")
	for line, want := range map[string]string{
		`echo "$DEPLOY_TOKEN."`:                       ".\n[withheld from commands: DEPLOY_TOKEN. ",
		`echo "${SHOP_DATABASE:-none}"`:               "none\n[withheld from commands: SHOP_DATABASE. ",
		`echo "$SHOP_DATABASES."`:                     ".\n",
		`echo DEPLOY_TOKEN`:                           "DEPLOY_TOKEN\n",
		`echo SHOP_DATABASE is not set >&2; exit 1`:   "[exit code: 1]\n[withheld from commands: SHOP_DATABASE. If the command needs them, tell the user to start Marvin with MARVIN_PASS_ENV=SHOP_DATABASE]",
		`echo MY_SHOP_DATABASE is not set >&2; false`: "[exit code: 1]\n",
		`test -n "$SHOP$DEPLOY_TOKEN"`:                "[withheld from commands: DEPLOY_TOKEN, SHOP. ",
		`test "$GIVEN" = canary && echo "$HOME" >&2`:  env.Environ[slices.IndexFunc(env.Environ, func(e string) bool { return strings.HasPrefix(e, "HOME=") })][5:],
	} {
		output, err := decode(t, map[string]any{"command": line}).Run(t.Context(), env)
		noted := strings.Contains(output.Text, "[withheld")
		if err != nil || !strings.Contains(untimed(output.Text), want) || noted != strings.Contains(want, "[withheld") || strings.Contains(output.Text, "canary") {
			t.Errorf("%s: %q, %v; want %q", line, output.Text, err, want)
		}
	}
}
