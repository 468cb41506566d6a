package location

import (
	"os"
	"path/filepath"
	"testing"

	"marvin/tools"
)

func TestGcloudLoginDetection(t *testing.T) {
	for name, test := range map[string]struct {
		files   map[string]string // below the directory of gcloud
		environ []string
		want    bool
	}{
		"nothing is there":         {nil, nil, false},
		"a machine of Google's":    {map[string]string{"gce": "True\n"}, nil, true},
		"another machine":          {map[string]string{"gce": "False"}, nil, false},
		"logins, no configuration": {map[string]string{"credentials.db": ""}, nil, true},
		"logged in":                {map[string]string{"credentials.db": "", "configurations/config_default": "[core]\naccount = a@example.com\n"}, nil, true},
		"revoked":                  {map[string]string{"credentials.db": "", "configurations/config_default": "[core]\nproject = p\naccounts = x\naccount\n"}, nil, false},
		"no logins":                {map[string]string{"configurations/config_default": "account = a"}, nil, false},
		"another is active":        {map[string]string{"credentials.db": "", "active_config": "work\n", "configurations/config_work": "account = a", "configurations/config_default": ""}, nil, true},
		"another without account":  {map[string]string{"credentials.db": "", "active_config": "work", "configurations/config_work": "", "configurations/config_default": "account = a"}, nil, false},
		"a blank one is active":    {map[string]string{"credentials.db": "", "active_config": " \n", "configurations/config_default": "account=a"}, nil, true},
		"one by name":              {map[string]string{"credentials.db": "", "active_config": "work", "configurations/config_work": "", "configurations/config_home": "account = a"}, []string{"CLOUDSDK_ACTIVE_CONFIG_NAME=home"}, true},
		"one by a path":            {map[string]string{"credentials.db": "", "configurations/config_home": ""}, []string{"CLOUDSDK_ACTIVE_CONFIG_NAME=../../home"}, false},
		"a token file":             {nil, []string{"CLOUDSDK_AUTH_ACCESS_TOKEN_FILE=/x"}, true},
		"a credential file":        {nil, []string{"CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE=/x"}, true},
		"an account":               {nil, []string{"CLOUDSDK_CORE_ACCOUNT=a"}, true},
		"empty variables":          {nil, []string{"CLOUDSDK_AUTH_ACCESS_TOKEN_FILE=", "CLOUDSDK_CORE_ACCOUNT="}, false},
	} {
		for _, own := range []bool{false, true} {
			home := t.TempDir()
			dir, environ := filepath.Join(home, ".config", "gcloud"), test.environ
			if own {
				dir = filepath.Join(home, "mine")
				environ = append([]string{"CLOUDSDK_CONFIG=" + dir}, environ...)
			}
			for path, content := range test.files {
				path = filepath.Join(dir, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got := maybeLoggedIn(tools.Env{Home: home, Environ: environ}); got != test.want {
				t.Errorf("%s, a directory of its own %t: %t", name, own, got)
			}
		}
	}
	if !maybeLoggedIn(tools.Env{}) {
		t.Error("without a home nothing is known, and gcloud is not asked")
	}
	for id, want := range map[string]bool{"": false, "p": true, "my-project-1": true, "example.com:p": true, "-p": false, "P": false, "p_q": false, "a b": false, "az09": true, "{": false, "`": false, "/": false, ";": false} {
		if isProject(id) != want {
			t.Errorf("%q is a project: %t", id, !want)
		}
	}
}
