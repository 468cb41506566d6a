package undo

// IsIrreversible reports whether calls to a tool are known to be irreversible.
func IsIrreversible(tool string) bool { return whyIrreversible(tool) != "" }

// whyIrreversible explains why calls to a tool cannot be undone. It returns "" if no reason is
// known. A tool that knows the reason for a single call sets [tools.Output.Undo].
func whyIrreversible(tool string) string {
	switch tool {
	case "run_command", "code_check", "install_packages", "job_input":
		return "the effects of the program are unknown"
	case "git_commit":
		return "undo a commit with git: git revert, or git reset"
	case "tk":
		return "the program tk made the change; use tk to reverse it"
	case "download_file", "yt_dlp_download":
		return "delete the downloaded file if you do not want it"
	case "github_clone":
		return "delete the cloned directory if you do not want it"
	case "github_pr_comment", "github_pr_create":
		return "others may have seen it; delete the comment or close the pull request on GitHub"
	case "ntfy_publish":
		return "a message that was sent cannot be recalled"
	case "spotify_auth", "setup_google_auth":
		return "to log out, use the account's own settings"
	case "spotify_create_playlist", "spotify_add_tracks":
		return "delete the playlist or remove the tracks in Spotify"
	case "blender_delete_object", "blender_set_material", "blender_execute_code":
		return "undo it in Blender itself, with Ctrl-Z"
	case "schedule_prompt":
		return "remove the schedule with cancel_schedule or \"marvin schedule rm\""
	case "cancel_schedule":
		return "the schedule was removed with its history; create it again"
	case "remember":
		return "remove a fact with the \"forget\" tool or with /memory"
	case "forget":
		return "a forgotten fact cannot be restored"
	case "compact_history":
		return "the earlier history is in a backup next to the chat log"
	}
	return ""
}
