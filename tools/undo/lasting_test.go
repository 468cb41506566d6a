package undo

import "testing"

// Each tool whose calls last says why, in words that lead on.
func TestReasonsForLastingCalls(t *testing.T) {
	const program, stays = "the effects of the program are unknown", "delete the downloaded file if you do not want it"
	const github, login = "others may have seen it; delete the comment or close the pull request on GitHub", "to log out, use the account's own settings"
	const spotify, blender = "delete the playlist or remove the tracks in Spotify", "undo it in Blender itself, with Ctrl-Z"
	for tool, want := range map[string]string{
		"run_command": program, "code_check": program, "install_packages": program, "job_input": program,
		"git_commit": "undo a commit with git: git revert, or git reset", "tk": "the program tk made the change; use tk to reverse it", "download_file": stays, "yt_dlp_download": stays,
		"github_clone": "delete the cloned directory if you do not want it", "github_pr_comment": github, "github_pr_create": github, "ntfy_publish": "a message that was sent cannot be recalled",
		"spotify_auth": login, "setup_google_auth": login, "spotify_create_playlist": spotify, "spotify_add_tracks": spotify,
		"blender_delete_object": blender, "blender_set_material": blender, "blender_execute_code": blender,
		"compact_history": "the earlier history is in a backup next to the chat log", "write_note": "", "": "",
	} {
		if got := whyIrreversible(tool); got != want {
			t.Errorf("%s: %q, want %q", tool, got, want)
		}
	}
}
