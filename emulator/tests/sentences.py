# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The specification, sentence by sentence in our own words, and the tests that prove the emulator keeps each.

A test is named as `file::function`, without `test_` and `.py` of the file.
"""

from __future__ import annotations

from typing import NamedTuple


class Sentence(NamedTuple):
    number: int
    section: str
    text: str
    tests: str


_SENTENCES = (
    ("1", "Bodies are JSON, declared as application/json.", "strictness::test_body_must_be_declared_as_json"),
    ("1", "A body is a JSON object.", "strictness::test_body_must_be_a_json_object"),
    ("1", "There are 22 operations, no more.", "users::test_there_are_22_operations"),
    (
        "1",
        "What the document does not show is not offered.",
        "strictness::test_what_the_specification_lacks_is_not_offered domains::test_domains_cannot_be_registered",
    ),
    ("2", "Identifiers are strings unless stated; lists hold them as such.", "openapi::test_it_describes_every_field"),
    ("2", "A timestamp is an integer number.", "projects::test_create_returns_every_field"),
    ("2", "What is typed `string or null` is always present.", "switches::test_unset_fields"),
    ("2", "A project has twelve fields, texts but for two timestamps.", "projects::test_create_returns_every_field"),
    ("2", "A project's name has at most 100 characters on input.", "projects::test_name_has_at_most_100_characters"),
    ("2", "A project's teamId is the team that owns it.", "projects::test_create_in_a_team"),
    (
        "2",
        "A path addresses a project by its id or its name.",
        "projects::test_get_by_id_and_by_name projects::test_any_name_can_be_addressed",
    ),
    ("2", "A team has seven fields, createdBy a number.", "teams::test_create_returns_every_field"),
    ("2", "A path addresses a team by its id or its slug.", "teams::test_get_by_id_and_by_slug"),
    ("2", "A team's path value has at least 3 characters.", "teams::test_path_has_at_least_3_characters"),
    ("2", "A team's name has at most 256 characters on update.", "teams::test_longest_values"),
    ("2", "A team's description and emailDomain are input only.", "teams::test_update"),
    ("2", "A team's description has at most 140 characters.", "teams::test_longest_values"),
    ("2", "A team member has seven fields, roleId a number.", "members::test_invitation_returns_a_team_member"),
    (
        "2",
        "There are six roles.",
        "members::test_every_role_has_an_id_of_its_own members::test_other_roles_are_refused",
    ),
    (
        "2",
        "A project's domain record always has all its thirteen fields.",
        "project_domains::test_record_has_all_thirteen_fields "
        "project_domains::test_record_is_complete_whatever_is_unset",
    ),
    (
        "2",
        "A domain record's redirect status code is 301, 302, 307, 308 or null.",
        "project_domains::test_redirect_status_code_is_one_of_four_or_null",
    ),
    ("2", "An alias has the fields of a domain record.", "aliases::test_get_by_id_and_by_alias"),
    ("2", "An alias's redirect status code is not restricted.", "aliases::test_assign_takes_redirect_and_target"),
    ("2", "A path addresses an alias by its id or itself.", "aliases::test_get_by_id_and_by_alias"),
    ("2", "An alias's path value has at least 3 characters.", "aliases::test_path_has_at_least_3_characters"),
    ("2", "For deletion an alias is addressed by its id.", "aliases::test_delete_by_id"),
    ("2", "A registered domain has eight fields.", "domains::test_list_shows_every_field"),
    (
        "2",
        "Deleting a registered domain removes its aliases.",
        "domains::test_delete_removes_the_domain_and_its_aliases",
    ),
    ("2", "A user has six fields.", "users::test_user_is_the_caller"),
    (
        "2",
        "A pagination object of three fields stands beside every list.",
        "paging::test_every_list_has_a_pagination_object project_domains::test_record_has_all_thirteen_fields",
    ),
    (
        "2",
        "`count` is the number of items in the page.",
        "paging::test_every_list_is_paged paging::test_cap_on_the_limit",
    ),
    ("2", "`next` is the timestamp that asks for the next page.", "paging::test_next_and_prev"),
    ("2", "`prev` is the timestamp that asks for the previous page.", "paging::test_next_and_prev"),
    (
        "2",
        "Login and deletion have result shapes of their own.",
        "login::test_verify_after_the_click teams::test_delete_returns_the_id_and_takes_everything_along "
        "openapi::test_a_fuzzer_finds_nothing",
    ),
    (
        "2",
        "Deployments are not shown, nor what zoneId, target, serviceType and avatar mean: texts, kept as they are.",
        "openapi::test_it_describes_every_field control::test_seed_returns_what_it_created",
    ),
    ("3", "No resource carries a state field.", "openapi::test_it_describes_every_field"),
    (
        "4",
        "Every operation has the method, path, query and body that is written.",
        "openapi::test_it_describes_what_an_operation_takes",
    ),
    ("4", "Operations that act for a team take its id or slug.", "projects::test_list_shows_the_scope_that_is_named"),
    ("4", "Body fields are strings unless stated.", "strictness::test_body_fields_are_strings"),
    (
        "4",
        "Any operation may answer 400 with the error body.",
        "strictness::test_unknown_query_parameters strictness::test_unknown_body_fields",
    ),
    ("4", "Each operation has the query parameters it lists.", "strictness::test_documented_query_parameters_only"),
    (
        "4",
        "`limit` is an integer, the most items of a page.",
        "paging::test_every_list_is_paged paging::test_paging_parameters_are_integers",
    ),
    ("4", "`since` shows what was created after it.", "paging::test_since_and_until"),
    ("4", "`until` shows what was created before it.", "paging::test_since_and_until"),
    (
        "4",
        "Sign-in takes email and tokenName.",
        "login::test_sign_in_needs_both_fields login::test_sign_in_returns_a_verification_token_and_sends_a_mail",
    ),
    (
        "4",
        "Sign-in returns token and securityCode, and sends a message.",
        "login::test_sign_in_returns_a_verification_token_and_sends_a_mail",
    ),
    ("4", "The verification token is of use only after confirmation.", "login::test_verify_before_the_click"),
    ("4", "Verify takes email and token in its query.", "login::test_verification_token_belongs_to_its_email"),
    ("4", "Verify returns token, email and teamId.", "login::test_verify_after_the_click"),
    (
        "4",
        "A project is created from its name and optional overrides.",
        "projects::test_create_keeps_what_was_given projects::test_name_is_required",
    ),
    ("4", "Projects are listed for the user or a team.", "projects::test_list_shows_the_scope_that_is_named"),
    ("4", "One project is got by id or name.", "projects::test_get_by_id_and_by_name"),
    (
        "4",
        "A project is updated with the fields of its creation.",
        "projects::test_update_takes_every_field_of_creation projects::test_update_changes_only_what_is_given",
    ),
    (
        "4",
        "Update and deletion of a project take teamId and slug.",
        "projects::test_update_and_delete_for_a_team projects::test_slug_is_no_id",
    ),
    (
        "4",
        "Deleting a project returns it.",
        "projects::test_delete_returns_the_project_and_takes_its_aliases_along",
    ),
    (
        "4",
        "The domains of a project are listed for its team.",
        "project_domains::test_found_by_id_and_by_name_in_the_team",
    ),
    ("4", "The project domains' teamId is required.", "project_domains::test_team_is_required"),
    (
        "4",
        "production, redirects and verified are 'true' or 'false'.",
        "project_domains::test_filters project_domains::test_filters_take_true_or_false",
    ),
    (
        "4",
        "order is ASC or DESC.",
        "project_domains::test_order_is_as_asked project_domains::test_order_is_asc_or_desc",
    ),
    ("4", "Project domains are paged.", "project_domains::test_pages"),
    (
        "4",
        "Project domains answer 401 without a description, 403 without permission.",
        "project_domains::test_without_token_and_without_permission",
    ),
    ("4", "A team is created from slug and name.", "teams::test_create_returns_every_field"),
    ("4", "The teams of the caller are listed.", "teams::test_list_shows_the_teams_of_the_caller"),
    ("4", "One team is got.", "teams::test_get_by_id_and_by_slug"),
    ("4", "A team's description, emailDomain, name and slug are updated.", "teams::test_update"),
    ("4", "Deleting a team returns its id.", "teams::test_delete_returns_the_id_and_takes_everything_along"),
    (
        "4",
        "Only an OWNER invites.",
        "members::test_only_an_owner_invites members::test_strangers_do_not_invite_and_invited_owners_do",
    ),
    (
        "4",
        "An invitation carries a role, and an email or a uid.",
        "members::test_role_and_an_address_or_id_are_required",
    ),
    ("4", "uid takes priority over email.", "members::test_user_by_id_takes_priority"),
    (
        "4",
        "One joins with an invite code.",
        "members::test_join_with_the_invite_code members::test_join_with_a_wrong_code",
    ),
    ("4", "One joins by the team's id.", "switches::test_join_by_team_id members::test_joining_twice_changes_nothing"),
    ("4", "The invite code's parameter is not shown.", "switches::test_join_parameter"),
    ("4", "Registered domains are listed for the user or a team.", "domains::test_list_of_a_team"),
    ("4", "Without a limit the last 20 domains are returned.", "domains::test_without_limit_the_last_20_are_returned"),
    (
        "4",
        "Deleting a registered domain has no content.",
        "domains::test_delete_removes_the_domain_and_its_aliases domains::test_delete_of_what_is_not_there",
    ),
    ("4", "Aliases are listed for the user, a team, a project.", "aliases::test_list_by_project_and_team"),
    ("4", "The filter by domain is not shown.", "aliases::test_filter_by_domain_is_not_made_up"),
    ("4", "One alias is got.", "aliases::test_get_by_id_and_by_alias"),
    (
        "4",
        "An alias is assigned to a project; its body is not shown.",
        "aliases::test_assign_creates_an_alias_and_a_project_domain switches::test_alias_shape "
        "switches::test_alias_project_by",
    ),
    ("4", "The result of an assignment is not shown.", "switches::test_alias_result"),
    ("4", "An alias is deleted.", "aliases::test_delete_by_id"),
    ("4", "The authenticated user is got.", "users::test_user_is_the_caller"),
    ("5", "Every operation carries a bearer token.", "users::test_every_operation_needs_a_valid_bearer"),
    (
        "5",
        "Sign-in and verify carry a bearer too, in reference requests.",
        "login::test_login_carries_a_bearer_as_well_as_none switches::test_login_requires_bearer",
    ),
    ("5", "The user confirms the login.", "page::test_page_shows_what_happens_and_confirms_a_login"),
    ("5", "The authentication token is then the bearer.", "login::test_verify_after_the_click"),
    (
        "5",
        "Permissions other than inviting are not shown: readers read, others write.",
        "teams::test_reading_roles_cannot_write teams::test_other_roles_may_write "
        "teams::test_strangers_cannot_act_for_a_team",
    ),
    ("5", "Token lifetime and revocation are not shown.", "control::test_reset_ends_tokens_for_good"),
    (
        "6",
        "Events, webhooks and notifications are not offered.",
        "strictness::test_what_the_specification_lacks_is_not_offered",
    ),
    ("7", "The 400 body holds code and a message, and both.", "strictness::test_unknown_body_fields"),
    ("7", "401 has no body.", "users::test_every_operation_needs_a_valid_bearer"),
    ("7", "403 is text only.", "teams::test_strangers_cannot_act_for_a_team"),
    ("7", "Status and body of not-found are not shown.", "switches::test_not_found"),
    ("7", "Status of conflicts is not shown.", "switches::test_duplicate_names switches::test_repeated_invitation"),
    (
        "7",
        "Throttling is not shown.",
        "faults::test_service_errors faults::test_retry_after rate_limit::test_rate_limit rate_limit::test_retry_after",
    ),
    ("8", "Rate limits are not shown.", "rate_limit::test_rate_limit rate_limit::test_window"),
    ("8", "The upper bound of limit is not stated.", "paging::test_largest_limit_has_no_stated_bound"),
    ("9", "Paths carry no version; the base address may have a path.", "command::test_base_path"),
)

SENTENCES = tuple(Sentence(number, *sentence) for number, sentence in enumerate(_SENTENCES, start=1))
