package location

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/show"
)

const (
	loginTime  = 2 * time.Minute // long enough for a login in the browser
	enableTime = time.Minute
	// placesService is the Places API (New). The old API is called places-backend.
	placesService = "places.googleapis.com"
)

func (s *Service) authTool() tools.Tool {
	return tools.New(tools.Def[struct{}]{
		Name:     "setup_google_auth",
		Effect:   tools.Writes,
		Doc:      "Set up Google Places (ratings, opening hours) with gcloud, or explain how to set a key.",
		Examples: []string{"set up Google Places", "set up Google auth", "enable the Google Places API"},
		Pool:     tools.Proc,
		Timeout:  loginTime + enableTime + time.Minute,
		Confirm: func(env tools.Env, _ struct{}) (title, detail string) {
			if _, err := proc.Find("gcloud", env.Environ); err != nil {
				return "", "" // without gcloud, the call only explains the setup, so there is nothing to confirm
			}
			return "Set up Google Places with gcloud?",
				"Logs in to Google Cloud in a browser if needed, enables " + placesService + " for the current gcloud project, and makes it the quota project. Google bills searches to that project."
		},
		Run: s.setup,
	})
}

func (s *Service) setup(ctx context.Context, env tools.Env, _ struct{}) (tools.Output, error) {
	if _, err := proc.Find("gcloud", env.Environ); errors.Is(err, proc.ErrNotFound) {
		return tools.Output{Text: "gcloud is not installed.\n" + keyHelp(env)}, nil
	}
	var log steps
	err := s.setUp(ctx, env, &log)
	s.google.forget()
	if ctx.Err() != nil {
		return tools.Output{}, context.Cause(ctx)
	}
	if err != nil {
		return tools.Output{}, tools.Advise(fmt.Errorf("the setup is not complete:\n%s%w", log.text(), err), "%s", keyHelp(env))
	}
	return tools.Output{Text: log.text() + "Done: places_text_search and places_nearby_search now use Google, billed to that project."}, nil
}

// steps is the log of the setup, with one line per step.
type steps []string

func (l *steps) add(format string, args ...any) { *l = append(*l, fmt.Sprintf(format, args...)) }

func (l steps) text() string {
	if len(l) == 0 {
		return ""
	}
	return strings.Join(l, "\n") + "\n"
}

func (s *Service) setUp(ctx context.Context, env tools.Env, log *steps) error {
	if _, err := gcloud(ctx, env, gcloudTime, "auth", "print-access-token"); err != nil {
		if !env.Person {
			return errors.New("gcloud is not logged in, and nobody is here to log in; run `gcloud auth login` in a terminal first")
		}
		env.Progress("waiting for the login in the browser")
		if _, err := gcloud(ctx, env, loginTime, "auth", "login", "--brief"); err != nil {
			return fmt.Errorf("log in: %w; run `gcloud auth login` in a terminal", err)
		}
		log.add("Logged in to Google Cloud.")
	} else {
		log.add("gcloud is logged in.")
	}
	project, err := currentProject(ctx, env)
	if err != nil {
		return err
	}
	if project == "" {
		return errors.New("gcloud has no project; run `gcloud config set project ID` in a terminal (`gcloud projects list` lists your projects)")
	}
	log.add("Project: %s", project)
	env.Progress("enabling " + placesService)
	if _, err := gcloud(ctx, env, enableTime, "services", "enable", placesService, "--project="+project); err != nil {
		return fmt.Errorf("enable %s: %w", placesService, err)
	}
	log.add("Enabled %s.", placesService)
	if _, err := gcloud(ctx, env, gcloudTime, "auth", "application-default", "set-quota-project", project); err != nil {
		log.add("The quota project of the application-default credentials, which searches do not need, could not be set: %s", show.Line(err.Error(), 200))
	} else {
		log.add("Quota project set.")
	}
	return nil
}

// keyHelp explains how to use a key instead of gcloud, and says whether a key is set.
func keyHelp(env tools.Env) string {
	status := googleKey + " is not set: searches use OpenStreetMap."
	if proc.Lookup(env.Environ, googleKey) != "" {
		status = googleKey + " is set: searches use Google with this key."
	}
	return status + "\nTo use a key: make one at https://console.cloud.google.com/apis/credentials, enable \"Places API (New)\" for its project, " +
		"export " + googleKey + "=… and start Marvin again. Or install gcloud (https://cloud.google.com/sdk/docs/install) and run setup_google_auth."
}
