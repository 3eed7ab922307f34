"""moto's AWS services on 127.0.0.1, which deploy every resource of svc's templates: python server.py PORT [REPORT]

- A request of DynamoDB runs alone, because moto's threads interleave within a conditional update. AWS's are atomic.
- CloudFormation creates real global tables, secrets and aliases, which moto serves but does not deploy.
- Other types that moto's CloudFormation lacks are placeholders: an id and attributes, nothing behind them.
- CloudFormation keeps resources with a retaining deletion policy when an update removes them.
- REPORT gets what moto lacks when the server ends: placeholders, properties that it did not read, updates that it ignored.
"""

import atexit
import json
import sys
from collections import defaultdict
from threading import Lock

from moto.awslambda.models import LambdaVersion, lambda_backends
from moto.cloudformation import parsing
from moto.cloudformation.exceptions import ValidationError
from moto.cloudformation.models import Stack
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.table import Table
from moto.dynamodb.responses import DynamoHandler
from moto.secretsmanager.models import secretsmanager_backends
from moto.server import main

placeholders = set()
not_updated = set()
failed_creations = set()
present = defaultdict(set)
read = defaultdict(set)


class Resource:
    """What moto's CloudFormation calls of a resource."""

    @classmethod
    def has_cfn_attr(cls, attr):
        return True

    def is_created(self):
        return True


class Placeholder(Resource):
    """A resource of a type that moto's CloudFormation lacks."""

    def __init__(self, name, region, account):
        self.physical_resource_id = name
        self.place = f"{region}:{account}"

    def get_cfn_attribute(self, attr):
        if attr.endswith("Arn"):
            return f"arn:aws:placeholder:{self.place}:{self.physical_resource_id}"
        if attr.endswith("Url"):
            return f"https://{self.physical_resource_id.lower()}.example.com/"
        return f"{self.physical_resource_id}-{attr}"

    @classmethod
    def create_from_cloudformation_json(cls, name, definition, account, region, **_):
        return cls(name, region, account)

    @classmethod
    def update_from_cloudformation_json(cls, original_resource, **_):
        return original_resource

    def delete(self, account, region):
        pass


class GlobalTable(Resource):
    """A table from the properties of AWS::DynamoDB::GlobalTable, whose one replica has some of a table's."""

    @classmethod
    def create_from_cloudformation_json(cls, name, definition, account, region, **_):
        properties = definition["Properties"]
        replica = properties["Replicas"][0]
        table = {key: properties.get(key) for key in ("KeySchema", "AttributeDefinitions", "BillingMode")}
        table["GlobalSecondaryIndexes"] = properties.get("GlobalSecondaryIndexes", [])
        table["StreamSpecification"] = properties.get("StreamSpecification")
        table["DeletionProtectionEnabled"] = replica.get("DeletionProtectionEnabled", False)
        return Table.create_from_cloudformation_json(name, {"Properties": table}, account, region)

    @classmethod
    def update_from_cloudformation_json(
        cls, original_resource, new_resource_name, cloudformation_json, account_id, region_name
    ):
        properties = cloudformation_json["Properties"]
        table = original_resource
        if properties["KeySchema"] != table.schema:
            return cls.create_from_cloudformation_json(new_resource_name, cloudformation_json, account_id, region_name)
        wanted = {index["IndexName"]: index for index in properties.get("GlobalSecondaryIndexes", [])}
        existing = {index.name for index in table.global_indexes}
        updates = [{"Create": index} for name, index in wanted.items() if name not in existing]
        updates += [{"Delete": {"IndexName": name}} for name in existing - wanted.keys()]
        if len(updates) > 1:
            raise ValueError("Cannot perform more than one GSI creation or deletion in a single update")
        table.attr = properties["AttributeDefinitions"]
        dynamodb_backends[account_id][region_name].update_table_global_indexes(table, updates)
        stream = properties.get("StreamSpecification")
        if bool(stream) != bool(table.stream_specification.get("StreamEnabled")):
            table.set_stream_specification(stream)
        return table

    @classmethod
    def delete_from_cloudformation_json(cls, name, definition, account, region):
        dynamodb_backends[account][region].delete_table(name)


class Secret(Resource):
    """A secret with its first value."""

    def __init__(self, arn):
        self.physical_resource_id = arn

    def get_cfn_attribute(self, attr):
        return self.physical_resource_id

    @classmethod
    def create_from_cloudformation_json(cls, name, definition, account, region, **_):
        properties = definition["Properties"]
        backend = secretsmanager_backends[account][region]
        created = backend.create_secret(
            name=name,
            secret_string=cls._value(backend, properties),
            secret_binary=None,
            description=properties.get("Description"),
            tags=properties.get("Tags", []),
            kms_key_id=properties.get("KmsKeyId"),
            client_request_token=None,
            replica_regions=[],
            force_overwrite=False,
        )
        secret = cls(json.loads(created)["ARN"])
        secret.origin = cls._origin(properties)
        return secret

    @classmethod
    def update_from_cloudformation_json(
        cls, original_resource, new_resource_name, cloudformation_json, account_id, region_name
    ):
        """As CloudFormation does, overwrites the value only if the template's changed."""
        properties = cloudformation_json["Properties"]
        backend = secretsmanager_backends[account_id][region_name]
        if original_resource.origin != cls._origin(properties):
            backend.put_secret_value(
                original_resource.physical_resource_id, cls._value(backend, properties), None, None, ["AWSCURRENT"]
            )
            original_resource.origin = cls._origin(properties)
        return original_resource

    def delete(self, account, region):
        secretsmanager_backends[account][region].delete_secret(self.physical_resource_id, None, True)

    @staticmethod
    def _origin(properties):
        return {key: properties.get(key) for key in ("SecretString", "GenerateSecretString")}

    @staticmethod
    def _value(backend, properties):
        if "SecretString" in properties:
            return properties["SecretString"]
        rules = properties["GenerateSecretString"]
        generated = backend.get_random_password(
            rules.get("PasswordLength", 32), "", False, rules.get("ExcludePunctuation", False), False, False, False, True
        )
        password = json.loads(generated)["RandomPassword"]
        if "GenerateStringKey" not in rules:
            return password
        return json.dumps({**json.loads(rules["SecretStringTemplate"]), rules["GenerateStringKey"]: password})


class Alias(Resource):
    """An alias of a function, which permissions and event sources name."""

    def __init__(self, arn):
        self.physical_resource_id = arn

    def get_cfn_attribute(self, attr):
        return self.physical_resource_id

    @classmethod
    def create_from_cloudformation_json(cls, name, definition, account, region, **_):
        return cls(lambda_backends[account][region].create_alias(*cls._arguments(definition["Properties"])).arn)

    @classmethod
    def update_from_cloudformation_json(
        cls, original_resource, new_resource_name, cloudformation_json, account_id, region_name
    ):
        lambda_backends[account_id][region_name].update_alias(*cls._arguments(cloudformation_json["Properties"]))
        return original_resource

    def delete(self, account, region):
        function, name = self.physical_resource_id.split(":")[-2:]
        lambda_backends[account][region].delete_alias(name, function)

    @staticmethod
    def _arguments(properties):
        return properties["Name"], properties["FunctionName"], properties["FunctionVersion"], "", None


class ReadProperties(dict):
    """The properties of a resource, which records those that moto reads."""

    def __init__(self, properties, resource_type):
        super().__init__(properties)
        self.resource_type = resource_type

    def _record(self, key):
        read[self.resource_type].add(key)

    def __getitem__(self, key):
        self._record(key)
        return super().__getitem__(key)

    def get(self, key, default=None):
        self._record(key)
        return super().get(key, default)

    def pop(self, key, *default):
        self._record(key)
        return super().pop(key, *default)

    def __deepcopy__(self, memo):
        return ReadProperties(json.loads(json.dumps(dict(super().items()))), self.resource_type)

    def keys(self):
        for key in super().keys():
            self._record(key)
        return super().keys()

    def items(self):
        self.keys()
        return super().items()


ADDED = {
    "AWS::DynamoDB::GlobalTable": GlobalTable,
    "AWS::Lambda::Alias": Alias,
    # moto has no hosted zone of the settings' name.
    "AWS::Route53::RecordSet": Placeholder,
    "AWS::SecretsManager::Secret": Secret,
}
_class_of = parsing.resource_class_from_type
_create = parsing.parse_and_create_resource
_named = parsing.parse_resource_and_generate_name
_update = parsing.parse_and_update_resource
_delete = parsing.ResourceMap._delete_resource
_delete_stack = Stack.delete
_call_action = DynamoHandler.call_action
_dynamodb = Lock()


def class_or_placeholder(resource_type):
    if resource_type in ADDED:
        model = ADDED[resource_type]
    elif resource_type in parsing.get_model_map():
        model = _class_of(resource_type)
    else:
        model = Placeholder
    if model is Placeholder:
        placeholders.add(resource_type)
    return model


def named_and_recorded(logical_id, resource, resources):
    model, definition, name = _named(logical_id, resource, resources)
    resource_type = resource["Type"]
    if model is not Placeholder:
        present[resource_type].update(definition["Properties"])
        definition["Properties"] = ReadProperties(definition["Properties"], resource_type)
    return model, definition, name


def failing_by_name(change):
    """The same change, whose failure is CloudFormation's and names the resource."""

    def changed(logical_id, *args, **options):
        try:
            return change(logical_id, *args, **options)
        except ValidationError:
            raise
        except Exception as error:
            raise ValidationError(message=f"{logical_id}: {type(error).__name__}: {error}") from error

    return changed


def updated_or_kept(logical_id, resource, resources, account_id, region_name):
    changed = _update(logical_id, resource, resources, account_id, region_name)
    if changed is not None:
        return changed
    not_updated.add(resource["Type"])
    return resources[logical_id]


def deleted_unless_retained(self, resource, definition):
    """A resource that is gone, as a function's policy with its function is in moto, counts as deleted."""
    policy = definition.get("DeletionPolicy")
    if policy == "Retain" or (policy == "RetainExceptOnCreate" and self.stack_id not in failed_creations):
        return
    try:
        _delete(self, resource, definition)
    except Exception as error:
        if not any(words in str(error).lower() for words in ("not found", "does not exist")):
            raise


def one_at_a_time(self):
    with _dynamodb:
        return _call_action(self)


def deleted_or_rolled_back(self):
    """The deletion of a stack that never got created is its rollback."""
    if self.status == "CREATE_IN_PROGRESS":
        failed_creations.add(self.stack_id)
    _delete_stack(self)


def write_report():
    unread = {kind: sorted(names - read[kind]) for kind, names in sorted(present.items()) if names - read[kind]}
    report = {"placeholders": sorted(placeholders), "unread": unread, "notUpdated": sorted(not_updated)}
    with open(sys.argv[2], "w") as file:
        json.dump(report, file)


LambdaVersion.get_cfn_attribute = lambda self, attr: str(self.version)
parsing.resource_class_from_type = class_or_placeholder
parsing.parse_resource_and_generate_name = named_and_recorded
parsing.parse_and_create_resource = failing_by_name(_create)
parsing.parse_and_update_resource = failing_by_name(updated_or_kept)
parsing.ResourceMap._delete_resource = deleted_unless_retained
Stack.delete = deleted_or_rolled_back
DynamoHandler.call_action = one_at_a_time
if len(sys.argv) > 2:
    atexit.register(write_report)
main(["--port", sys.argv[1]])
