// Each script asks `coind __complete -- <words before> <word at the cursor>`: lines of a word, a tab and what it means, and `:files` or
// `:folders` where the shell's own names fit.

const bash = `# bash completion for coind; load it with: source <(coind completion bash)
_coind_complete() {
  local line="\${COMP_LINE:0:COMP_POINT}" current="" value about
  local -a words
  read -ra words <<< "$line"
  if [[ "$line" != *[[:space:]] ]]; then
    current="\${words[\${#words[@]}-1]}"
    unset "words[\${#words[@]}-1]"
  fi
  # bash has cut the word at "=" and ":", and wants what is behind them.
  local whole="\${current}" tail="\${current##*[=:]}"
  local head="\${whole%"$tail"}"
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    case "$value" in
      :files) compopt -o filenames 2>/dev/null; while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$tail") ;;
      :folders) compopt -o filenames 2>/dev/null; while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -d -- "$tail") ;;
      ?*) COMPREPLY+=("\${value#"$head"}") ;;
    esac
  done < <("\${words[0]}" __complete -- "\${words[@]:1}" "$current" 2>/dev/null)
}
complete -F _coind_complete coind
`

const zsh = `#compdef coind
# zsh completion for coind; load it with: source <(coind completion zsh)
_coind() {
  local line
  local -a found
  for line in "\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT-1]}" "\${words[CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      ':files') _files; return ;;
      ':folders') _files -/; return ;;
      ?*) found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  _describe -V coind found
}
compdef _coind coind
`

const fish = `# fish completion for coind; load it with: coind completion fish | source
function __coind_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in ($words[1] __complete -- $words[2..-1] "$current" 2>/dev/null)
    switch $line
      case ':files'
        __fish_complete_path "$current"
      case ':folders'
        __fish_complete_directories "$current"
      case '*'
        echo $line
    end
  end
end
complete -c coind -f -a '(__coind_complete)'
`

const powershell = `# PowerShell completion for coind; load it with: coind completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName coind -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString() } | Select-Object -Skip 1)
  if ($wordToComplete -ne '' -and $words.Count -gt 0) { $words = @($words | Select-Object -SkipLast 1) }
  $current = if ($wordToComplete -eq '') { '""' } else { $wordToComplete }
  & coind __complete -- @words $current 2>$null | ForEach-Object {
    $value, $about = $_ -split "\`t", 2
    if ($value -notlike ':*') {
      if (-not $about) { $about = $value }
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
  }
}
`

export const completionScripts = { bash, zsh, fish, powershell } as const

export type Shell = keyof typeof completionScripts
